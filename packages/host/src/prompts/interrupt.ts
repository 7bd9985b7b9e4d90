import type { RequestOptions } from '@proto/core';
import { checkInterruptReceipt, schemaOf } from '@proto/core/internal';
import type { SDKControlInterruptResponse } from '@proto/core/messages';
import type { HostWire } from '../host-wire.ts';
import type { FollowedSession } from '../state/session-follower.ts';

/** How to interrupt. */
export interface InterruptOptions extends Omit<RequestOptions, 'schema'> {
  /** Also take back the prompts that wait for their turn. Default false. */
  readonly cancelQueued?: boolean;
}

/** What became of an interrupt. */
export interface InterruptReceipt extends SDKControlInterruptResponse {
  /** `nothing_running`: the agent had nothing to do when the interrupt came. */
  readonly outcome: 'accepted' | 'nothing_running';
}

/** Asks the agent to end the running turn. */
export async function interruptTurn(
  wire: HostWire,
  follower: FollowedSession,
  { cancelQueued, ...options }: InterruptOptions,
): Promise<InterruptReceipt> {
  let outcome: InterruptReceipt['outcome'] = 'nothing_running';
  const schema = schemaOf((receipt) => {
    // Decided when the answer comes, before all that the interruption causes: there is still a turn if there was one.
    if (follower.state.session !== 'idle') outcome = 'accepted';
    return checkInterruptReceipt(receipt);
  });
  const request = { subtype: 'interrupt', ...(cancelQueued && { cancel_queued: true }) };
  const answer = await wire.ask<SDKControlInterruptResponse>(request, { ...options, schema });
  return { ...answer, outcome };
}

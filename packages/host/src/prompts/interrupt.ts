import type { RequestOptions } from '@proto/core';
import { checkInterruptReceipt, schemaOf } from '@proto/core/internal';
import type { SDKControlInterruptResponse } from '@proto/core/messages';
import type { HostWire } from '../host-wire.ts';
import type { FollowedSession } from '../state/session-follower.ts';

/** The options of an interrupt. */
export interface InterruptOptions extends Omit<RequestOptions, 'schema'> {
  /** Whether prompts that are still waiting for their turn are cancelled too. Default false. */
  readonly cancelQueued?: boolean;
}

/** The agent's answer to an interrupt. */
export interface InterruptReceipt extends SDKControlInterruptResponse {
  /** `nothing_running` if the agent was idle when it answered the interrupt, `accepted` if it was busy. */
  readonly outcome: 'accepted' | 'nothing_running';
}

export async function interruptTurn(
  wire: HostWire,
  follower: FollowedSession,
  { cancelQueued, ...options }: InterruptOptions,
): Promise<InterruptReceipt> {
  let outcome: InterruptReceipt['outcome'] = 'nothing_running';
  const schema = schemaOf((receipt) => {
    // This is decided when the answer arrives. The messages caused by the interrupt arrive later, so a turn that was running still counts as running.
    if (follower.state.session !== 'idle') outcome = 'accepted';
    return checkInterruptReceipt(receipt);
  });
  const request = { subtype: 'interrupt', ...(cancelQueued && { cancel_queued: true }) };
  const answer = await wire.ask<SDKControlInterruptResponse>(request, { ...options, schema });
  return { ...answer, outcome };
}

import type { PendingRequests } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { checkHookOutput, type HookJSONOutput, schemaOf } from '@proto/core/internal';
import { type HookFailurePolicy, judgeHookFailure } from './hook-failure.ts';

/** What a hook is called with: the members of its event, and which one that is. */
export interface HookCall {
  readonly hook_event_name: string;
  readonly [member: string]: unknown;
}

/** How one hook of the host is called, and what its failure does. */
export interface HookCallbackOptions {
  readonly session: Pick<PendingRequests, 'request'>;
  /** Writes a message for the user: a hook that failed and was passed over. */
  readonly tell: (message: WireMessage) => void;
  /** How long the host has to answer, as its matcher says. Default: no limit. */
  readonly timeoutSeconds?: number;
  /** What an error answer or an invalid output does: default `continue`, as if the hook had no opinion. */
  readonly onFailure?: HookFailurePolicy;
}

/** A hook of the host, by the id it was registered with. */
export interface HookCallback {
  readonly type: 'callback';
  /** In seconds. */
  readonly timeout: number | undefined;
  /** Calls it. Never rejects: what a failure does to the event is an output like any other. */
  readonly callback: (input: HookCall, toolUseID: string | undefined, signal: AbortSignal) => Promise<HookJSONOutput>;
}

const hookOutput = schemaOf(checkHookOutput);

/** Makes the call of one hook that the host registered. */
export function createHookCallback(callbackId: string, options: HookCallbackOptions): HookCallback {
  const { session, tell, timeoutSeconds, onFailure = 'continue' } = options;
  // Zero is no limit either: at once nobody answers.
  const limit = timeoutSeconds !== undefined && timeoutSeconds > 0 ? { timeoutMs: timeoutSeconds * 1000 } : {};

  return {
    type: 'callback',
    timeout: timeoutSeconds,
    async callback(input, toolUseID, signal) {
      const request = {
        subtype: 'hook_callback',
        callback_id: callbackId,
        input,
        tool_use_id: toolUseID === '' ? undefined : toolUseID,
      };
      try {
        return await session.request(request, { ...limit, signal, schema: hookOutput });
      } catch (error) {
        const { output, notice } = judgeHookFailure(error, {
          callbackId,
          event: input.hook_event_name,
          onFailure,
          signal,
        });
        if (notice !== undefined) tell(notice);
        return output;
      }
    },
  };
}

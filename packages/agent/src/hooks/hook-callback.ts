import type { PendingRequests } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { checkHookOutput, schemaOf, type WatchedRequestOptions } from '@proto/core/internal';
import type { HookJSONOutput } from '@proto/core/messages';
import { decideHookFailure, type HookFailure, type HookFailurePolicy } from './hook-failure.ts';

export interface HookCall {
  readonly hook_event_name: string;
  readonly [member: string]: unknown;
}

export interface HookCallbackOptions {
  readonly session: Pick<PendingRequests, 'request'>;
  /** Sends the user a message about a hook that failed and was ignored. */
  readonly send: (message: WireMessage) => void;
  /** How long the host may take to answer, in seconds. 0 means no limit. Default: no limit. */
  readonly timeoutSeconds?: number;
  /** What happens after an error answer or an invalid output. Default `continue`: the hook counts as undecided. */
  readonly onFailure?: HookFailurePolicy;
}

export interface HookCallback {
  readonly type: 'callback';
  /** In seconds. Undefined for no limit. */
  readonly timeout: number | undefined;
  /**
   * Never rejects, because a hook that fails has an output too. `onOutput` is called as soon as the answer arrives, before any later message takes
   * effect.
   */
  readonly callback: (
    input: HookCall,
    toolUseID: string | undefined,
    signal: AbortSignal,
    onOutput?: (output: HookJSONOutput) => void,
  ) => Promise<HookJSONOutput>;
}

const hookOutput = schemaOf(checkHookOutput);

export function createHookCallback(callbackId: string, options: HookCallbackOptions): HookCallback {
  const { session, send, timeoutSeconds, onFailure = 'continue' } = options;
  // Zero means no limit, because no host can answer within zero seconds.
  const limit = timeoutSeconds !== undefined && timeoutSeconds > 0 ? { timeoutMs: timeoutSeconds * 1000 } : {};

  return {
    type: 'callback',
    timeout: timeoutSeconds,
    async callback(input, toolUseID, signal, onOutput) {
      const request = {
        subtype: 'hook_callback',
        callback_id: callbackId,
        input,
        tool_use_id: toolUseID === '' ? undefined : toolUseID,
      };
      // Decided when the answer is read, because a later message of the same chunk may abort the call.
      let answered: HookFailure | undefined;
      const failureOf = (error: unknown) =>
        decideHookFailure(error, { callbackId, event: input.hook_event_name, onFailure, signal });
      const options: WatchedRequestOptions<HookJSONOutput> = {
        ...limit,
        signal,
        schema: hookOutput,
        onAnswer: (answer) => {
          if (answer.status === 'fulfilled') return onOutput?.(answer.value as HookJSONOutput);
          answered = failureOf(answer.reason);
          onOutput?.(answered.output);
        },
      };
      try {
        return await session.request(request, options);
      } catch (error) {
        const { output, notice } = answered ?? failureOf(error);
        if (notice !== undefined) send(notice);
        return output;
      }
    },
  };
}

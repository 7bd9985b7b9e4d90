import { ControlError, ProtocolError } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { HookJSONOutput } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';

/** What the failure of a hook does to its event. */
export type HookFailurePolicy = 'continue' | 'block';

/** The call of a hook that failed, and what is to be done about it. */
export interface FailedHook {
  readonly callbackId: string;
  readonly event: string;
  readonly onFailure: HookFailurePolicy;
  /** Of the call. */
  readonly signal: AbortSignal;
}

/** What stands for the output of a hook that has failed, and what to tell the user of it. */
export interface HookFailure {
  readonly output: HookJSONOutput;
  readonly notice?: WireMessage;
}

// What may not happen unless its hooks have had their say.
const GUARDED = ['PreToolUse', 'UserPromptSubmit'];

// Told apart without a mark in the output, which a host could forge.
const standIns = new WeakSet<HookJSONOutput>();

/** Whether an output forbids something in the place of a hook that has failed: nobody has refused it. */
export function isStandIn(output: HookJSONOutput): boolean {
  return standIns.has(output);
}

/**
 * A hook that answered badly has no opinion, which is told, unless it was registered to block. One that has not answered at all
 * may have been about to forbid it: a tool is not called then, and a prompt not taken.
 */
export function judgeHookFailure(error: unknown, failed: FailedHook): HookFailure {
  const { callbackId, event, onFailure, signal } = failed;
  const answered = ControlError.is(error) || ProtocolError.is(error);
  if (onFailure === 'block' || (!answered && GUARDED.includes(event))) {
    const output = blocked(event, `${event} hook ${outcomeOf(error, signal)} (callback ${callbackId})`);
    standIns.add(output);
    return { output };
  }
  // Who interrupts a turn or has left knows why its hooks do not answer.
  if (signal.aborted || (TransportError.is(error) && error.code !== 'timeout')) return { output: {} };
  const content = `${event}: Hook callback ${callbackId} failed: the SDK host ${outcomeOf(error, signal)}`;
  const notice = { type: 'system', subtype: 'informational', content, level: 'warning', tag: 'hook_callback_failed' };
  return { output: {}, notice };
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (ControlError.is(error)) return `replied with an error: ${error.message}`;
  if (ProtocolError.is(error)) return 'replied with an invalid output';
  if (signal.aborted) return 'was cancelled before it responded';
  if (TransportError.is(error) && error.code === 'timeout') return 'did not respond before its timeout';
  return 'could not be asked';
}

/** The output by which a hook of that event forbids it. */
function blocked(event: string, reason: string): HookJSONOutput {
  switch (event) {
    case 'PreToolUse':
    case 'PreModelSwitch':
      return {
        hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: reason },
      };
    case 'PermissionRequest':
      return { hookSpecificOutput: { hookEventName: event, decision: { behavior: 'deny', message: reason } } };
    default:
      return { decision: 'block', reason };
  }
}

import { ControlError, ProtocolError } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { HookJSONOutput } from '@proto/core/messages';
import { TransportError } from '@proto/core/transport';

export type HookFailurePolicy = 'continue' | 'block';

export interface FailedHook {
  readonly callbackId: string;
  readonly event: string;
  readonly onFailure: HookFailurePolicy;
  readonly signal: AbortSignal;
}

export interface HookFailure {
  readonly output: HookJSONOutput;
  readonly notice?: WireMessage;
}

// The events whose action must not be performed without an answer from the hooks.
const GUARDED = ['PreToolUse', 'UserPromptSubmit', 'PreSkillShellCommand'];

// A set is used instead of a mark in the output, because a host could forge a mark.
const standIns = new WeakSet<HookJSONOutput>();

/** True if an output forbids something only because a hook failed. False if the hook itself refused. */
export function isStandIn(output: HookJSONOutput): boolean {
  return standIns.has(output);
}

/**
 * After an error or an invalid output, the event proceeds and the user is notified, unless the hook was registered to block. A hook that did not
 * answer might have intended to refuse. Therefore the tool is not called, the command of a skill does not run, and the prompt is not accepted.
 */
export function decideHookFailure(error: unknown, failed: FailedHook): HookFailure {
  const { callbackId, event, onFailure, signal } = failed;
  const answered = ControlError.is(error) || ProtocolError.is(error);
  if (onFailure === 'block' || (!answered && GUARDED.includes(event))) {
    const output = blocked(event, `${event} hook ${outcomeOf(error, signal)} (callback ${callbackId})`);
    standIns.add(output);
    return { output };
  }
  // No message is sent after an abort: a host that interrupts a turn or ends the session knows why the hooks do not answer.
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
  return 'could not be reached';
}

function blocked(event: string, reason: string): HookJSONOutput {
  switch (event) {
    case 'PreToolUse':
    case 'PreModelSwitch':
    case 'PreSkillShellCommand':
      return {
        hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: reason },
      };
    case 'PermissionRequest':
      return { hookSpecificOutput: { hookEventName: event, decision: { behavior: 'deny', message: reason } } };
    default:
      return { decision: 'block', reason };
  }
}

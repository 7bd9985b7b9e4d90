import type { WireMessage } from '@proto/core/framing';
import { type PromptContent, textOf } from '../prompts/prompt.ts';
import type { RunningTurn } from '../turns/running-turn.ts';
import type { HookCall } from './hook-callback.ts';
import type { HookOutcome } from './hook-outcome.ts';
import type { HookRegistry } from './hook-registry.ts';

/** Applies the parts of the outcome that do not depend on the event: messages to the user, and the end of the turn. */
export type RunHooks = (running: RunningTurn, call: HookCall, signal?: AbortSignal) => Promise<HookOutcome>;

export function hooksOfTurns(registry: HookRegistry): RunHooks {
  return async (running, call, signal) => {
    const outcome = await registry.run({ prompt_id: running.id, ...call }, running.asking(signal));
    running.applyHookOutcome(call, outcome);
    return outcome;
  };
}

export function refusalOf({ block, stopReason }: HookOutcome): string | undefined {
  return block ?? stopReason;
}

export function refusedPrompt(
  content: PromptContent,
  reason: string,
  event = 'UserPromptSubmit',
): { notice: WireMessage; result: WireMessage } {
  const text = `${event} operation blocked by hook:\n${reason}\n\nOriginal prompt: ${textOf(content)}`;
  const notice = {
    type: 'system',
    subtype: 'informational',
    content: text,
    level: 'warning',
    prevent_continuation: true,
    prompt_submit_outcome: { kind: 'blocked_by_hook', prompt_kept: false, reason },
  };
  return { notice, result: { type: 'result', subtype: 'success', is_error: false, num_turns: 0, result: text } };
}

/** The feedback from blocking hooks, or the context that hooks add. Undefined if the turn may end. */
export function stopFeedback({ block, additionalContext }: HookOutcome): string | undefined {
  if (block !== undefined) return `Stop hook feedback:\n${block}`;
  return additionalContext.length > 0 ? additionalContext.join('\n') : undefined;
}

/** The messages to send after a `Stop` hook has blocked the end of a turn. */
export function stopMessages(feedback: string): readonly [feedback: WireMessage, notice: WireMessage] {
  const content = [{ type: 'text', text: feedback }];
  return [
    { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isSynthetic: true },
    {
      type: 'system',
      subtype: 'notification',
      key: 'stop-hook-error',
      text: 'A stop hook prevents the end of the turn',
      priority: 'immediate',
    },
  ];
}

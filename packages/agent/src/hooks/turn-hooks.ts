import type { WireMessage } from '@proto/core/framing';
import { type PromptContent, textOf } from '../prompts/prompt.ts';
import type { RunningTurn } from '../turns/running-turn.ts';
import type { HookCall } from './hook-callback.ts';
import type { HookOutcome } from './hook-outcome.ts';
import type { HookRegistry } from './hook-registry.ts';

/** Runs hooks in the name of a turn, and has it do what they say beside their decision. */
export type RunHooks = (running: RunningTurn, call: HookCall, signal?: AbortSignal) => Promise<HookOutcome>;

/** Has the hooks of a registry run in the name of turns. */
export function hooksOfTurns(registry: HookRegistry): RunHooks {
  return async (running, call, signal) => {
    const outcome = await registry.run({ prompt_id: running.id, ...call }, running.asking(signal));
    running.heed(call, outcome);
    return outcome;
  };
}

/** Why hooks do not let a prompt through, or undefined. */
export function refusalOf({ block, stopReason }: HookOutcome): string | undefined {
  return block ?? stopReason;
}

/** What the host is told of a prompt that its hooks did not let through, and the result of that turn. */
export function refusedPrompt(content: PromptContent, reason: string): { notice: WireMessage; result: WireMessage } {
  const text = `UserPromptSubmit operation blocked by hook:\n${reason}\n\nOriginal prompt: ${textOf(content)}`;
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

/** What makes the turn go on when hooks do not let it end: the feedback of each that blocks, or context they add. */
export function stopFeedback({ block, additionalContext }: HookOutcome): string | undefined {
  if (block !== undefined) return `Stop hook feedback:\n${block}`;
  return additionalContext.length > 0 ? additionalContext.join('\n') : undefined;
}

/** What is said where a Stop hook blocks: the feedback as the conversation has it, and a word to the user. */
export function stopMessages(feedback: string): readonly [feedback: WireMessage, notice: WireMessage] {
  const content = [{ type: 'text', text: feedback }];
  return [
    { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isSynthetic: true },
    {
      type: 'system',
      subtype: 'notification',
      key: 'stop-hook-error',
      text: 'A stop hook keeps the turn from ending',
      priority: 'immediate',
    },
  ];
}

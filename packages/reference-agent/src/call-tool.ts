import type { Turn, WireMessage } from '@proto/core';
import { messageStream } from './message-stream.ts';

/** A tool call of the agent: what it is called with, and what it gives once it is permitted. */
export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Gets the input as the permission has left it. What it throws is the text of a failed result. */
  readonly run: (input: Readonly<Record<string, unknown>>) => string | Promise<string>;
}

/** Makes a tool call as real agents do: the call, the question whether it may be made, and its result. Gives the result's text. */
export async function* callTool(
  turn: Turn,
  { name, input, run }: ToolUse,
): AsyncGenerator<WireMessage, string, undefined> {
  const id = `toolu_${crypto.randomUUID().replaceAll('-', '')}`;
  const deltas = [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }];
  const whole = () => ({ type: 'tool_use', id, name, input });
  yield* messageStream({ start: { ...whole(), input: {} }, deltas, whole, stopReason: 'tool_use' }, turn.signal);

  const decision = await turn.canUseTool(name, input, id);
  const outcome =
    decision.behavior === 'allow'
      ? await resultOf(() => run(decision.input))
      : { text: decision.message, failed: true };
  const result = { type: 'tool_result', tool_use_id: id, content: outcome.text, is_error: outcome.failed };
  yield { type: 'user', message: { role: 'user', content: [result] }, parent_tool_use_id: null };
  return outcome.text;
}

async function resultOf(run: () => string | Promise<string>): Promise<{ text: string; failed: boolean }> {
  try {
    return { text: await run(), failed: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), failed: true };
  }
}

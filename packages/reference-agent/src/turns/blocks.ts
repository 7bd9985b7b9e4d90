import type { ToolInput } from '../actions.ts';

/** A content block of a message: how it begins, how it grows, and what it is when it is whole. */
export interface Block {
  readonly start: object;
  readonly deltas: AsyncIterable<object> | Iterable<object>;
  readonly whole: () => object;
  /** What it adds to the tokens of the reply, once it is whole. */
  readonly text: () => string;
}

/** A text that is streamed as its pieces come. */
export function textBlock(pieces: AsyncIterable<string> | Iterable<string>): Block {
  let text = '';
  async function* deltas() {
    for await (const piece of pieces) {
      text += piece;
      yield { type: 'text_delta', text: piece };
    }
  }
  const whole = () => ({ type: 'text', text });
  return { start: whole(), deltas: deltas(), whole, text: () => text };
}

/** A thought. Its signature is one in form only: there is no model that could vouch for it. */
export function thinkingBlock(thinking: string, pieces: readonly string[]): Block {
  const signature = btoa('reference');
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ],
    whole: () => ({ type: 'thinking', thinking, signature }),
    text: () => thinking,
  };
}

/** The call of a tool. */
export function toolUseBlock(id: string, name: string, input: ToolInput): Block {
  const json = JSON.stringify(input);
  const whole = { type: 'tool_use', id, name, input };
  return {
    start: { ...whole, input: {} },
    deltas: [{ type: 'input_json_delta', partial_json: json }],
    whole: () => whole,
    text: () => json,
  };
}

/** Cuts a text into pieces as a model would stream it: words with the space behind them. */
export function splitWords(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** A fresh id as the Messages API writes them, such as `msg_…`. */
export function freshId(prefix: 'msg' | 'toolu'): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;
}

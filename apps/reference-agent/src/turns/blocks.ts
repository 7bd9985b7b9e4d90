import type { ToolInput } from '../actions.ts';

/** A content block of a message: its beginning, its deltas, and the complete block. */
export interface Block {
  readonly start: object;
  readonly deltas: AsyncIterable<object> | Iterable<object>;
  readonly whole: () => object;
  /** The text of the complete block, from which its tokens are counted. */
  readonly text: () => string;
}

/** A text block that streams its pieces as they arrive. */
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

/** Creates a thinking block. The signature of the block is a constant, because no model signs it. */
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

/** Splits a text into pieces in the way that a model streams it: words with the space after them. */
export function splitWords(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** A new id in the form of the Messages API, such as `msg_…`. */
export function freshId(prefix: 'msg' | 'toolu'): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;
}

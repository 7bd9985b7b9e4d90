import type { WireMessage } from '@proto/core';
import { messageStream } from './message-stream.ts';

/** An answer of one text block, streamed as its pieces come. */
export function reply(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<WireMessage, void, undefined> {
  let text = '';
  async function* deltas() {
    for await (const piece of pieces) {
      text += piece;
      yield { type: 'text_delta', text: piece };
    }
  }
  const whole = () => ({ type: 'text', text });
  return messageStream({ start: whole(), deltas: deltas(), whole, stopReason: 'end_turn' }, signal);
}

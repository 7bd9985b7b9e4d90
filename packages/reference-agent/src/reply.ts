import type { WireMessage } from '@proto/core';

const MODEL = 'reference';

/**
 * One answer in the order real agents keep: the stream events of a message with one text block, the whole `assistant` message
 * ahead of that block's `content_block_stop`. An aborted one holds what there was, and says so.
 */
export async function* reply(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<WireMessage, void, undefined> {
  const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`;
  const usage = { input_tokens: 0, output_tokens: 0 };
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  yield streamEvent({ type: 'message_start', message });
  yield streamEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    usage.output_tokens++;
    yield streamEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } });
  }
  yield {
    type: 'assistant',
    message: { ...message, content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    ...(signal.aborted && { aborted: true }),
  };
  yield streamEvent({ type: 'content_block_stop', index: 0 });
  const stop_reason = signal.aborted ? null : 'end_turn';
  yield streamEvent({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
  yield streamEvent({ type: 'message_stop' });
}

function streamEvent(event: object): WireMessage {
  return { type: 'stream_event', event, parent_tool_use_id: null };
}

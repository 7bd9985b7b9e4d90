import type { WireMessage } from '@proto/core';

const MODEL = 'reference';

/** The one content block of a message: how it begins, how it grows, and what it is when it is whole. */
export interface StreamedBlock {
  readonly start: object;
  readonly deltas: AsyncIterable<object> | Iterable<object>;
  readonly whole: () => object;
  readonly stopReason: string;
}

/**
 * One message in the order real agents keep: its stream events, the whole `assistant` message ahead of its block's
 * `content_block_stop`. An aborted one holds what there was, and says so.
 */
export async function* messageStream(
  block: StreamedBlock,
  signal: AbortSignal,
): AsyncGenerator<WireMessage, void, undefined> {
  const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`;
  const usage = { input_tokens: 0, output_tokens: 0 };
  const head = { id, type: 'message', role: 'assistant', model: MODEL, stop_reason: null, stop_sequence: null, usage };
  yield streamEvent({ type: 'message_start', message: { ...head, content: [] } });
  yield streamEvent({ type: 'content_block_start', index: 0, content_block: block.start });
  for await (const delta of block.deltas) {
    usage.output_tokens++;
    yield streamEvent({ type: 'content_block_delta', index: 0, delta });
  }
  const message = { ...head, content: [block.whole()] };
  yield { type: 'assistant', message, parent_tool_use_id: null, ...(signal.aborted && { aborted: true }) };
  yield streamEvent({ type: 'content_block_stop', index: 0 });
  const stop_reason = signal.aborted ? null : block.stopReason;
  yield streamEvent({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
  yield streamEvent({ type: 'message_stop' });
}

function streamEvent(event: object): WireMessage {
  return { type: 'stream_event', event, parent_tool_use_id: null };
}

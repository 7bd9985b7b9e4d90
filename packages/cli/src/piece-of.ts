import type { WireMessage } from '@proto/core';

/** The text a streamed message adds to the answer; a line break where a text block ends; nothing for any other message. */
export function pieceOf(message: WireMessage): string {
  const event = message.type === 'stream_event' ? (message['event'] as { type?: unknown; delta?: { text?: unknown } }) : {};
  if (event.type === 'content_block_stop') return '\n';
  const text = event.type === 'content_block_delta' ? event.delta?.text : undefined;
  return typeof text === 'string' ? text : '';
}

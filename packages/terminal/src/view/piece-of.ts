import type { WireMessage } from '@proto/core/framing';

/** The text a streamed message adds to the answer; nothing for any other message. */
export function pieceOf(message: WireMessage): string {
  if (message.type !== 'stream_event') return '';
  const { type, delta } = message['event'] as { type?: unknown; delta?: { text?: unknown } };
  return type === 'content_block_delta' && typeof delta?.text === 'string' ? delta.text : '';
}

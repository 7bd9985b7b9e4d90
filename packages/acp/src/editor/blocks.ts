import type { ContentBlock } from '@agentclientprotocol/sdk';
import { type Members, objectOf, objectsIn } from '../members.ts';

/** The blocks of a message. A message may contain a text in place of a list of blocks. */
export function blocksIn(content: unknown): readonly Members[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
}

export function textBlock(text: string): ContentBlock & { readonly type: 'text' } {
  return { type: 'text', text };
}

/** A text or an image as an editor shows it. Undefined for other blocks, and for an empty text. */
export function shownBlock({ type, text, source }: Members): ContentBlock | undefined {
  if (type === 'text' && typeof text === 'string' && text !== '') return textBlock(text);
  if (type !== 'image') return undefined;
  const { type: kind, data, media_type: mimeType, url } = objectOf(source);
  return kind === 'base64'
    ? { type: 'image', data: String(data), mimeType: String(mimeType) }
    : { type: 'image', data: '', mimeType: 'image/*', uri: String(url) };
}

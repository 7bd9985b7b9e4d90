import type { ContentBlock } from '@agentclientprotocol/sdk';
import { type Members, objectOf, objectsIn } from './members.ts';

/** The blocks of a message. A message may contain a text in place of a list of blocks. */
export function blocksIn(content: unknown): readonly Members[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
}

export function textBlock(text: string): ContentBlock & { readonly type: 'text' } {
  return { type: 'text', text };
}

/** The image of a block. `source` contains the image or its address. */
export function imageBlock(source: unknown): ContentBlock {
  const { type, data, media_type: mimeType, url } = objectOf(source);
  return type === 'url'
    ? { type: 'image', data: '', mimeType: 'image/*', uri: String(url) }
    : { type: 'image', data: String(data), mimeType: String(mimeType) };
}

/** A text or an image as an editor shows it. Undefined for other blocks, and for an empty text. */
export function shownBlock({ type, text, source }: Members): ContentBlock | undefined {
  if (type === 'image') return imageBlock(source);
  return type === 'text' && typeof text === 'string' && text !== '' ? textBlock(text) : undefined;
}

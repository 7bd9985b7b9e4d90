import { createHash } from 'node:crypto';
import { encodeText, MARK } from './text.ts';

/** The most bytes of a key that is stored as it is. A row of an index has at most 2704 bytes. */
const MAX_KEY_BYTES = 1024;

/**
 * The form of a name or an id in columns with an index. A long text has its hash there, and the whole text in the column next to it. What
 * `listStreams` asks about a name still holds for its key: whether it begins with `@`, and whether it contains `/`.
 */
export function encodeKey(text: string): string {
  const encoded = encodeText(text);
  if (!isLong(encoded)) return encoded;
  const hash = createHash('sha256').update(encoded).digest('base64url');
  return `${text.startsWith('@') ? '@' : ''}${MARK}h${hash}${text.includes('/') ? '/' : ''}`;
}

/** The value of the column next to the key: the encoded text if its key has only a hash of it. */
export function encodeLong(text: string): string | null {
  const encoded = encodeText(text);
  return isLong(encoded) ? encoded : null;
}

/** Texts by their keys, to find the text for a row that has only the key. */
export function byKey(texts: Iterable<string>): Map<string, string> {
  return new Map(Array.from(texts, (text) => [encodeKey(text), text]));
}

function isLong(encoded: string): boolean {
  return encoded.length > MAX_KEY_BYTES / 4 && Buffer.byteLength(encoded) > MAX_KEY_BYTES;
}

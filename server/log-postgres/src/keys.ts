import { createHash } from 'node:crypto';
import { encodeText, MARK } from './text.ts';

/** The maximum size in bytes of a key that is stored unchanged. An index row can have at most 2704 bytes. */
const MAX_KEY_BYTES = 1024;

/**
 * Encodes a name or an id for an indexed column. For a long text, that column contains a hash and the column next to it the whole text. `listStreams`
 * can still check on the key whether a name begins with `@` and whether it contains `/`.
 */
export function encodeKey(text: string): string {
  const encoded = encodeText(text);
  if (!isLong(encoded)) return encoded;
  const hash = createHash('sha256').update(encoded).digest('base64url');
  return `${text.startsWith('@') ? '@' : ''}${MARK}h${hash}${text.includes('/') ? '/' : ''}`;
}

/** Returns the value of the column next to the key: the encoded text if the key contains only its hash, and otherwise null. */
export function encodeLong(text: string): string | null {
  const encoded = encodeText(text);
  return isLong(encoded) ? encoded : null;
}

/** Maps keys to their texts, to find the text for a row that contains only the key. */
export function byKey(texts: Iterable<string>): Map<string, string> {
  return new Map(Array.from(texts, (text) => [encodeKey(text), text]));
}

function isLong(encoded: string): boolean {
  return encoded.length > MAX_KEY_BYTES / 4 && Buffer.byteLength(encoded) > MAX_KEY_BYTES;
}

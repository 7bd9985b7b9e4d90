/** True for the second and later bytes of a character. */
export function isContinuation(byte: number | undefined): boolean {
  return (byte as number) >> 6 === 0b10;
}

/**
 * Returns a position at which a cut does not split a character: `end`, or up to 3 bytes before `end`. The position may be before the last character
 * even if this character is complete. Invalid bytes may be cut anywhere, because a decoder starts again at every byte that is not a continuation
 * byte, and a character has at most three continuation bytes.
 */
export function characterBorder(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (at > end - 3 && isContinuation(bytes[at])) at--;
  return (bytes[at] as number) >= 0xc0 ? at : end;
}

/** The size of a chunk in UTF-8 bytes. Each half of a surrogate pair counts as 2 bytes, so that the sum does not depend on where a text was cut. */
export function byteLength(chunk: Uint8Array | string): number {
  if (typeof chunk !== 'string') return chunk.length;
  let bytes = 0;
  for (let at = 0; at < chunk.length; at++) {
    const unit = chunk.charCodeAt(at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 || unit >> 11 === 0x1b ? 2 : 3;
  }
  return bytes;
}

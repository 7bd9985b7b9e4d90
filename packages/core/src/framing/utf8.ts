/** True for the second and later bytes of a character. */
export function isContinuation(byte: number | undefined): boolean {
  return ((byte as number) & 0xc0) === 0x80;
}

/**
 * The last place, at `end` or up to 3 bytes before it, that cuts no character in two. Right for invalid bytes too: a decoder
 * starts anew at each byte that continues nothing, and no character goes on after three continuation bytes.
 */
export function characterBorder(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (at > end - 3 && isContinuation(bytes[at])) at--;
  return (bytes[at] as number) >= 0xc0 ? at : end;
}

/** Bytes of a text in UTF-8. Each half of a surrogate pair counts 2, so the sum does not depend on where the text was cut. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

/**
 * Returns the beginning of a text, at most `length` UTF-16 units. For a negative length, returns the end of the text. Never splits a character that
 * consists of two units.
 */
export function cutText(text: string, length: number): string {
  const at = length < 0 ? Math.max(0, text.length + length) : length;
  // If a cut is between the halves of a character, both halves are dropped. The first half is from 0xd800 to 0xdbff, the second from 0xdc00 to
  // 0xdfff.
  const isInside = text.charCodeAt(at - 1) >> 10 === 0x36 && text.charCodeAt(at) >> 10 === 0x37;
  return length < 0 ? text.slice(isInside ? at + 1 : at) : text.slice(0, isInside ? at - 1 : at);
}

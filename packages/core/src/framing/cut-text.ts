/**
 * Returns the beginning of a text, at most `length` UTF-16 units; for a negative length, the end of the text. Never cuts a character of two units in
 * half.
 */
export function cutText(text: string, length: number): string {
  const at = length < 0 ? Math.max(0, text.length + length) : length;
  // A cut between the halves of a character drops both halves. The first half is from 0xd800 to 0xdbff, the second from 0xdc00 to 0xdfff.
  const isInside = text.charCodeAt(at - 1) >> 10 === 0x36 && text.charCodeAt(at) >> 10 === 0x37;
  return length < 0 ? text.slice(isInside ? at + 1 : at) : text.slice(0, isInside ? at - 1 : at);
}

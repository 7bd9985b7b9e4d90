/**
 * The beginning of a text, of at most `length` UTF-16 units: never half of a character that takes two. Where a negative length is given, the end
 * of the text.
 */
export function cutText(text: string, length: number): string {
  const at = length < 0 ? Math.max(0, text.length + length) : length;
  // Between the halves of a character the cut keeps neither.
  const isInside = isHalf(text.charCodeAt(at - 1), 0xd800) && isHalf(text.charCodeAt(at), 0xdc00);
  if (length < 0) return text.slice(isInside ? at + 1 : at);
  return text.slice(0, isInside ? at - 1 : at);
}

/** Whether a UTF-16 unit is the first half (from 0xd800 on) or the second half (from 0xdc00 on) of a character. */
function isHalf(unit: number, from: number): boolean {
  return unit >> 10 === from >> 10;
}

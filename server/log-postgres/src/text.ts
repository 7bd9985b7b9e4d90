/** The character that marks an encoded character. */
export const MARK = '\u001a';

/** Encodes a text for PostgreSQL, which cannot store U+0000. Only a text that contains U+0000 or the mark is changed. */
export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

/** Returns the text that was passed to {@link encodeText}. */
export function decodeText(stored: string): string {
  return stored.includes(MARK) ? stored.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : stored;
}

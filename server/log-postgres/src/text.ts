/** Marks an encoded character. */
export const MARK = '\u001a';

/** PostgreSQL cannot store U+0000. Texts with it, or with the mark, are stored encoded; all others as they are. */
export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

/** The text that was given to {@link encodeText}. */
export function decodeText(stored: string): string {
  return stored.includes(MARK) ? stored.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : stored;
}

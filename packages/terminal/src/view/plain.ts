// What steers a terminal, or looks like a line of ours: control and format characters, and what ends a line.
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of the peer for one line of ours: what would steer the terminal, or begin a line, is shown by its number. */
export function plain(text: string): string {
  return text.replace(STEERING, shown);
}

/** The same for a text of several lines. Joiners stay, which emoji and several scripts need. */
export function plainLines(text: string): string {
  return text.replace(STEERING, (character) => (/[\n\t\u200c\u200d]/.test(character) ? character : shown(character)));
}

function shown(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

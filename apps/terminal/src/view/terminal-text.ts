import { styleText } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

// Control and format characters can control a terminal. With line ends, a text could begin a line that looks like this program's own output.
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a text from the peer safe for one line of a terminal. Each character that could control the terminal or end the line is replaced with its
 * code point.
 */
export function plain(text: string): string {
  return text.replace(STEERING, shown);
}

/** Makes a text of several lines from the peer safe for a terminal. Joiners are kept, because emoji and several scripts need them. */
export function plainLines(text: string): string {
  return text.replace(STEERING, (character) => (/[\n\t\u200c\u200d]/.test(character) ? character : shown(character)));
}

function shown(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

// An emoji takes two columns, whether it is an emoji by default or because of the selector after it.
const EMOJI = /^\p{Emoji_Presentation}|\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]/u;

const graphemes = new Intl.Segmenter();

/** Returns how many columns of a terminal a text occupies. */
export function displayWidth(text: string): number {
  // Most lines contain only ASCII. Splitting a text into graphemes takes a hundred times as long.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment);
  return width;
}

/** Truncates a text to the given number of columns. The last column of a truncated text is an ellipsis. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

function widthOf(grapheme: string): number {
  if (EMOJI.test(grapheme)) return 2;
  return NO_WIDTH.test(grapheme) ? 0 : eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}

/** When output is coloured: `auto` colours output to a terminal. */
export type ColorMode = 'auto' | 'always' | 'never';

/** The colours of a terminal. */
export type Color = 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colours text, or returns the text unchanged. */
export type Paint = (color: Color, text: string) => string;

/**
 * Creates a function that colours texts. `auto` follows `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`. Without these variables, only output to a terminal
 * is coloured.
 */
export function createPaint(
  mode: ColorMode,
  env: Readonly<Record<string, string | undefined>>,
  { isTTY = false }: { readonly isTTY?: boolean },
): Paint {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env;
  const wanted = NO_COLOR === '' && (FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : isTTY && TERM !== 'dumb');
  const colored = mode === 'always' || (mode === 'auto' && wanted);
  // This is decided here because `styleText` would check the stdout of this process, but the output may be another stream.
  return (color, text) => (colored ? styleText(color, text, { validateStream: false }) : text);
}

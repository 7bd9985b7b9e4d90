// East Asian wide and fullwidth characters, and what is drawn as an emoji: two columns each (Unicode, UAX 11).
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})|\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]/u;

const graphemes = new Intl.Segmenter();

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment);
  return width;
}

/** As much of a text as fits into so many columns; what is cut is told by an ellipsis. */
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
  if (WIDE.test(grapheme)) return 2;
  return NO_WIDTH.test(grapheme) ? 0 : 1;
}

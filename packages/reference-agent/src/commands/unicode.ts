import type { Command } from '../action.ts';

/** What readers of lines and of texts get wrong: separators that end no line, pairs, marks, directions, controls. */
const PIECES = [
  'line\u2028paragraph\u2029 ',
  'ä é ñ 漢字 ',
  '😀 👩‍👩‍👧‍👦 🇪🇺 ',
  'e\u0301 a\u0308 ',
  '\u202Eright to left\u202C שלום ',
  '\uFEFF\u200B\u00AD\u0000\u001B\u007F\u0085 ',
  '𝒳 \\ " / \b\f\n\r\t end',
];

/** `/unicode`: answers a text with all that is hard on readers, the same each time. */
export const unicode: Command = () => [{ kind: 'say', pieces: PIECES }];

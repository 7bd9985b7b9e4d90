import { expect, test } from 'vitest';
import { displayWidth, truncate } from './terminal-text.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['パッケージ', 10],
  ['幅 width', 8],
  ['e\u0301a\u0308', 2],
  ['😀', 2],
  ['👩‍👩‍👧', 2],
  ['❤️', 2],
  ['한글', 4],
  // Hard cases: half width, skin tones, flags, keycaps, joiners without a width, and rare Unicode blocks.
  ['ﾊﾝｶｸ', 4],
  ['👍🏽🇩🇪1️⃣', 6],
  ['a\u200bb\u00ad', 2],
  ['नि', 1],
  ['䷀', 2],
  ['\u{17000}\u{1b000}', 4],
  ['\ua960', 2],
  ['𝕏—…', 3],
])('%s takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each([
  ['fits', 4, 'fits'],
  ['does not', 5, 'does…'],
  ['パッケージ', 9, 'パッケー…'],
  ['パッケージ', 8, 'パッケ…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
  ['anything', 1, '…'],
])('%s in %i columns is %s', (text, columns, shown) => {
  expect(truncate(text, columns)).toBe(shown);
  expect(displayWidth(truncate(text, columns))).toBeLessThanOrEqual(columns);
});

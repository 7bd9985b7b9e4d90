import { expect, test } from 'vitest';

import { byteLength, characterBorder, isContinuation } from './utf8.ts';

/** The first and the last character of each length in UTF-8. */
const EDGES = ['\0', '\x7f', '\x80', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'];
const encode = (text: string) => new TextEncoder().encode(text);

test('the bytes from 0x80 to 0xbf continue a character', () => {
  const continuing = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => isContinuation(byte));
  expect(continuing).toEqual(Array.from({ length: 64 }, (_, n) => 0x80 + n));
  expect(isContinuation(undefined)).toBe(false);
});

test.each(EDGES)('byteLength of %j is the number of its UTF-8 bytes', (character) => {
  expect(byteLength(character)).toBe(encode(character).length);
  expect(byteLength(`${character}x${character}`)).toBe(2 * encode(character).length + 1);
  expect(byteLength(encode(character))).toBe(encode(character).length);
});

test('byteLength counts 2 for a lone surrogate and 0 for an empty text', () => {
  expect(['\ud800', '\udbff', '\udc00', '\udfff', ''].map(byteLength)).toEqual([2, 2, 2, 2, 0]);
});

test.each(EDGES)('characterBorder never divides %j, and leaves out at most that character', (character) => {
  const bytes = encode(`ab${character}`);
  for (let end = 3; end < bytes.length; end++) {
    expect(characterBorder(bytes, end), `at ${end}`).toBe(2);
    expect(characterBorder(bytes.subarray(0, end), end), `of ${end}`).toBe(2);
  }
  const border = characterBorder(bytes, bytes.length);
  expect([2, bytes.length]).toContain(border);
  const followed = encode(`ab${character}c`);
  expect(characterBorder(followed, followed.length)).toBe(followed.length);
});

test('characterBorder leaves out no ASCII, and cuts invalid bytes at any place', () => {
  expect([1, 2, 3].map((end) => characterBorder(encode('abc'), end))).toEqual([1, 2, 3]);
  const invalid = new Uint8Array(8).fill(0x80);
  expect([4, 5, 8].map((end) => characterBorder(invalid, end))).toEqual([4, 5, 8]);
});

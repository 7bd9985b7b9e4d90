import { expect, test } from 'vitest';
import { StreamedText } from './streamed-text.ts';

/** The part of a whole text that is not in the given pieces. */
function unsaid(pieces: readonly string[], whole: string): string {
  const streamed = new StreamedText();
  for (const piece of pieces) streamed.add('text', 0, piece);
  return streamed.unsaid('text', whole);
}

test.each([
  [['ab', 'c'], 'abc', ''],
  [['ab'], 'abc', 'c'],
  [['ab', 'ef'], 'abcdef', ''],
  [[], 'abc', 'abc'],
  [['Hello wor'], '[API Error: cut]', '[API Error: cut]'],
  // The piece is too short to be treated as a part of the text.
  [['o'], 'another', 'another'],
])('after the pieces %j of %j, %j is still to be yielded', (pieces, whole, left) => {
  expect(unsaid(pieces, whole)).toBe(left);
});

test('the whole text of a block is suppressed only once', () => {
  const streamed = new StreamedText();
  streamed.add('text', 0, 'a');
  expect(streamed.unsaid('thinking', 'a')).toBe('a');
  expect(streamed.unsaid('text', 'a')).toBe('');
  expect(streamed.unsaid('text', 'a')).toBe('a');
});

test('equal blocks are matched by their own keys', () => {
  const streamed = new StreamedText();
  for (const key of ['x', 'y']) streamed.add('text', key, 'a');
  expect(streamed.unsaid('text', 'a', 'z')).toBe('a');
  expect(streamed.unsaid('text', 'ab', 'y')).toBe('b');
  expect(streamed.unsaid('text', 'a')).toBe('');
});

test('a new reply clears the state, and the number of remembered replies is limited', () => {
  const streamed = new StreamedText();
  streamed.add('text', 0, 'a');
  streamed.clear();
  expect(streamed.unsaid('text', 'a')).toBe('a');
  for (let key = 0; key < 100; key++) streamed.add('text', key, `block ${key}`);
  expect(streamed.unsaid('text', 'block 0')).toBe('block 0');
  expect(streamed.unsaid('text', 'block 99')).toBe('');
});

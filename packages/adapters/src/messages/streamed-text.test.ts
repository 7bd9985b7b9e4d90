import { expect, test } from 'vitest';
import { StreamedText } from './streamed-text.ts';

/** What is left to say of a whole text when these pieces were said. */
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
  // Too little to be what is left of it.
  [['o'], 'another', 'another'],
])('pieces %j of %j leave %j', (pieces, whole, left) => {
  expect(unsaid(pieces, whole)).toBe(left);
});

test('a block is said once: its whole is not hidden twice', () => {
  const streamed = new StreamedText();
  streamed.add('text', 0, 'a');
  expect(streamed.unsaid('thinking', 'a')).toBe('a');
  expect(streamed.unsaid('text', 'a')).toBe('');
  expect(streamed.unsaid('text', 'a')).toBe('a');
});

test('of blocks that are alike each has its own', () => {
  const streamed = new StreamedText();
  for (const key of ['x', 'y']) streamed.add('text', key, 'a');
  expect(streamed.unsaid('text', 'a', 'z')).toBe('a');
  expect(streamed.unsaid('text', 'ab', 'y')).toBe('b');
  expect(streamed.unsaid('text', 'a')).toBe('');
});

test('a new reply forgets the one before, and no reply is remembered without end', () => {
  const streamed = new StreamedText();
  streamed.add('text', 0, 'a');
  streamed.clear();
  expect(streamed.unsaid('text', 'a')).toBe('a');
  for (let key = 0; key < 100; key++) streamed.add('text', key, `block ${key}`);
  expect(streamed.unsaid('text', 'block 0')).toBe('block 0');
  expect(streamed.unsaid('text', 'block 99')).toBe('');
});

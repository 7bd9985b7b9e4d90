import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

/** True where no half of a character stands alone. `isWellFormed` is missing in Node 18. */
const isWhole = (text: string) => !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);

test('a cut never divides a character, and leaves out less than one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 40 }), (text, length) => {
      const start = cutText(text, length);
      const end = length === 0 ? '' : cutText(text, -length);
      expect(text.startsWith(start)).toBe(true);
      expect(text.endsWith(end)).toBe(true);
      expect([isWhole(start), isWhole(end)]).toEqual([true, true]);
      const least = Math.min(text.length, length) - 1;
      expect(start.length).toBeGreaterThanOrEqual(least);
      expect(start.length).toBeLessThanOrEqual(length);
      if (length > 0) expect(end.length).toBeGreaterThanOrEqual(least);
      if (length > 0) expect(end.length).toBeLessThanOrEqual(length);
    }),
  );
});

test.each([
  ['ab😀cd', 3, 'ab'],
  ['ab😀cd', 4, 'ab😀'],
  ['ab😀cd', 99, 'ab😀cd'],
  ['ab😀cd', 0, ''],
  ['ab😀cd', -3, 'cd'],
  ['ab😀cd', -4, '😀cd'],
  ['ab😀cd', -99, 'ab😀cd'],
  // A half without its other half is kept.
  ['\ud83dab', 1, '\ud83d'],
])('%j cut at %i is %j', (text, length, cut) => {
  expect(cutText(text, length)).toBe(cut);
});

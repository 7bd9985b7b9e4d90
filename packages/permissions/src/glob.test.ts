import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathGlob, textGlob } from './glob.ts';

/** The same pattern as a regular expression. Suitable only for short texts. */
function expression(pattern: string): RegExp {
  const source = pattern.replace(/(?<=^|\/)\*\*\/|\*\*+|[*?]|[^*?]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\u{${part.codePointAt(0)?.toString(16)}}`;
  });
  return new RegExp(`^${source}$`, 'su');
}

test('a path pattern matches like its regular expression', () => {
  const text = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 8 });
  fc.assert(
    fc.property(text('a', 'b', '/', '*', '**', '**/', '?'), text('a', 'b', '/'), (pattern, path) => {
      expect(pathGlob(pattern)(path)).toBe(expression(pattern).test(path));
    }),
    { numRuns: 2000 },
  );
});

test('a text pattern has one wildcard', () => {
  expect(textGlob('a*c')('a/b/c')).toBe(true);
  expect(textGlob('a?c')('abc')).toBe(false);
});

test('matching time does not explode with the number of wildcards', () => {
  const matches = textGlob(`${'*a'.repeat(20)}*b`);
  expect(matches('a'.repeat(20_000))).toBe(false);
});

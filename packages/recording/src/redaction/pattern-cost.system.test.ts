import { growth, MOST_GROWTH } from '@proto/test-support';
import { describe, expect, test } from 'vitest';
import { ISSUER_RULES } from './issuer-rules.ts';
import { createRedactor } from './redactor.ts';
import { patternOf, SHAPES } from './secret-patterns.ts';

const redactor = createRedactor();

describe('the cost of a pattern grows with the text alone', () => {
  const tails = ['', 'a.', 'A1-', 'abcdef0123456789'];
  const growthOf = (pattern: RegExp, piece: string) =>
    growth(1000, (n) => {
      const text = piece.repeat(n);
      return () => expect([...text.matchAll(pattern)].length).toBeLessThanOrEqual(n + 1);
    });
  // A pattern must be fast for any repetitive text of 100 000 characters. Only the slow patterns are measured.
  const slow = (pattern: RegExp, piece: string) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    const { user } = process.cpuUsage();
    expect([...text.matchAll(pattern)].length).toBeLessThanOrEqual(text.length);
    return process.cpuUsage().user - user > 80_000;
  };

  test('of an issuer', () => {
    for (const rule of ISSUER_RULES) {
      for (const tail of tails) {
        for (const piece of [rule.prefix + tail, `-${rule.prefix}${tail}`]) {
          const pattern = patternOf(rule);
          if (slow(pattern, piece)) expect(growthOf(pattern, piece), piece).toBeLessThan(MOST_GROWTH);
        }
      }
    }
  });

  test('of a shape', () => {
    for (const { mark, pattern } of SHAPES) {
      for (const before of ['', ' ', ':', '"', 'a']) {
        for (const tail of [...tails, ' a', ': ', '=', "'", ':a']) {
          const piece = before + mark + tail;
          if (slow(pattern, piece)) expect(growthOf(pattern, piece), piece).toBeLessThan(MOST_GROWTH);
        }
      }
    }
  });

  test('of all together', () => {
    for (const piece of [
      'password=',
      'token="',
      '\\',
      '\\\\"',
      '%3D',
      '\u001B[',
      'key: ',
      '"token",',
      'a:',
      '\\n',
      'A1b2',
    ]) {
      const grown = growth(2000, (n) => {
        const text = piece.repeat(n * 4);
        return () => expect(redactor.text(text).length).toBeGreaterThan(0);
      });
      expect(grown, piece).toBeLessThan(MOST_GROWTH);
    }
  });
});

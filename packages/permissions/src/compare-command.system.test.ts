import { growth, MOST_GROWTH } from '@proto/test-support';
import { expect, test } from 'vitest';
import { compareCommandWidely } from './compare-command.ts';

test.each([
  ['separators', (n: number) => 'a;'.repeat(n)],
  ['open substitutions', (n: number) => '$('.repeat(n)],
  ['texts that are read again', (n: number) => `sh -c '${'env a '.repeat(n)}'`],
  ['options', (n: number) => `env ${'-a '.repeat(n)}`],
])('the cost of a line grows with its length: %s', (_, lineOf) => {
  const grown = growth(2000, (n) => {
    const line = lineOf(n);
    return () => {
      for (let at = 0; at < 5; at++) compareCommandWidely('*a*a*a*b', `${line} ${at}`);
    };
  });
  expect(grown).toBeLessThan(MOST_GROWTH);
});

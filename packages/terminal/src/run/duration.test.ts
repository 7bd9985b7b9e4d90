import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['250ms', 250],
  ['15s', 15_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['15', undefined],
  ['s', undefined],
  ['-1s', undefined],
  ['1 s', undefined],
  ['', undefined],
])('%s', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

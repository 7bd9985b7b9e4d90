import { expect, test } from 'vitest';
import { parseDuration, parseSize } from './units.ts';

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
])('%s is a duration of %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  ['512B', 512],
  ['1.5kB', 1500],
  ['64MiB', 67_108_864],
  ['2GB', 2_000_000_000],
  ['64', undefined],
  ['64Mib', undefined],
  ['-1B', undefined],
])('%s is a size of %s bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

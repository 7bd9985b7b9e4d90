import { expect, test } from 'vitest';
import { parseDuration, parseListenAddress, parseRetention, parseSize } from './units.ts';

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

test.each([
  ['127.0.0.1:4983', '127.0.0.1', 4983],
  ['localhost:0', 'localhost', 0],
  ['[::1]:80', '::1', 80],
  ['8080', '127.0.0.1', 8080],
])('%s is an address', (text, hostname, port) => expect(parseListenAddress(text)).toEqual({ hostname, port }));

test.each(['', ':80', 'host', 'host:', 'host:65536', '::1:80', 'http://host:80', 'a b:80'])(
  '%j is not an address',
  (text) => expect(parseListenAddress(text)).toBeUndefined(),
);

test.each([
  ['7d', { maxAgeMs: 604_800_000 }],
  ['1GiB', { maxBytes: 2 ** 30 }],
  ['36h/500MB', { maxAgeMs: 129_600_000, maxBytes: 5e8 }],
  ['1.5KiB/1d', { maxAgeMs: 86_400_000, maxBytes: 1536 }],
])('%s is a retention', (text, retained) => expect(parseRetention(text)).toEqual(retained));

test.each(['', '7', '7d/8d', '1GiB/2GiB', '1XB', '7d/'])('%j is not a retention', (text) =>
  expect(parseRetention(text)).toBeUndefined(),
);

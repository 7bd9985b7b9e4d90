import fc from 'fast-check';
import { expect, test } from 'vitest';

import { backoffMs, DEFAULT_BACKOFF_BASE_MS, DEFAULT_BACKOFF_CAP_MS, DEFAULT_BACKOFF_JITTER } from './backoff.ts';

const middle = () => 0.5;

test('the first retry is immediate, and the next delays start at the base and double up to the cap', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backoffMs(attempt, { random: middle }));
  expect(delays).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('jitter spreads a delay in both directions by its share', () => {
  expect(backoffMs(2, { jitter: 0.25, random: () => 0 })).toBe(750);
  expect(backoffMs(2, { jitter: 0.25, random: () => 1 })).toBe(1250);
  expect(backoffMs(2, { jitter: 0, random: () => 1 })).toBe(1000);
});

test('property: a delay is an integer within the jitter of a delay that never decreases', () => {
  const options = fc.record({
    baseMs: fc.nat({ max: 10_000 }),
    capMs: fc.nat({ max: 100_000 }),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.nat({ max: 5000 }), options, (attempt, { random, ...rest }) => {
      const delay = backoffMs(attempt, { ...rest, random: () => random });
      const ideal = backoffMs(attempt, { ...rest, jitter: 0 });
      expect(Number.isInteger(delay)).toBe(true);
      expect(delay).toBeGreaterThanOrEqual(Math.floor(ideal * (1 - rest.jitter)));
      expect(delay).toBeLessThanOrEqual(Math.ceil(ideal * (1 + rest.jitter)));
      expect(ideal).toBeLessThanOrEqual(rest.capMs);
      expect(backoffMs(attempt + 1, { ...rest, jitter: 0 })).toBeGreaterThanOrEqual(ideal);
    }),
  );
});

test('property: the default delays stay between base and cap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100 }), (attempt) => {
      const delay = backoffMs(attempt);
      expect(delay).toBeGreaterThanOrEqual(DEFAULT_BACKOFF_BASE_MS * (1 - DEFAULT_BACKOFF_JITTER));
      expect(delay).toBeLessThanOrEqual(DEFAULT_BACKOFF_CAP_MS * (1 + DEFAULT_BACKOFF_JITTER));
    }),
  );
});

test('a base of 0 gives delays of 0 after any number of attempts', () => {
  expect([2, 1002, 1003, 100_000].map((attempt) => backoffMs(attempt, { baseMs: 0 }))).toEqual([0, 0, 0, 0]);
});

test('the defaults are 1000 ms, 30 s and a jitter of 0.25', () => {
  const defaults = [DEFAULT_BACKOFF_BASE_MS, DEFAULT_BACKOFF_CAP_MS, DEFAULT_BACKOFF_JITTER];
  expect(defaults).toEqual([1000, 30_000, 0.25]);
  expect([2, 20].map((attempt) => backoffMs(attempt, { random: () => 0 }))).toEqual([750, 22_500]);
});

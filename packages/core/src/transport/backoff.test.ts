import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  attemptWithin,
  backoffMs,
  DEFAULT_BACKOFF_BASE_MS,
  DEFAULT_BACKOFF_CAP_MS,
  DEFAULT_BACKOFF_JITTER,
  retryWithin,
} from './backoff.ts';

const middle = () => 0.5;

test('the first attempt goes at once, then the base, doubled up to the cap', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backoffMs(attempt, { random: middle }));
  expect(delays).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('jitter spreads a delay to both sides by its share', () => {
  expect(backoffMs(2, { jitter: 0.25, random: () => 0 })).toBe(750);
  expect(backoffMs(2, { jitter: 0.25, random: () => 1 })).toBe(1250);
  expect(backoffMs(2, { jitter: 0, random: () => 1 })).toBe(1000);
});

test('property: a delay is a whole number within the jitter of a delay that never falls', () => {
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

test('property: the defaults', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100 }), (attempt) => {
      const delay = backoffMs(attempt);
      expect(delay).toBeGreaterThanOrEqual(DEFAULT_BACKOFF_BASE_MS * (1 - DEFAULT_BACKOFF_JITTER));
      expect(delay).toBeLessThanOrEqual(DEFAULT_BACKOFF_CAP_MS * (1 + DEFAULT_BACKOFF_JITTER));
    }),
  );
});

test('the delay of a base of 0 is 0 after any number of attempts', () => {
  expect([2, 1002, 1003, 100_000].map((attempt) => backoffMs(attempt, { baseMs: 0 }))).toEqual([0, 0, 0, 0]);
});

test('what is not given is the default, and 1000 ms, 30 s and a quarter are the defaults', () => {
  const defaults = [DEFAULT_BACKOFF_BASE_MS, DEFAULT_BACKOFF_CAP_MS, DEFAULT_BACKOFF_JITTER];
  expect(defaults).toEqual([1000, 30_000, 0.25]);
  expect([2, 20].map((attempt) => backoffMs(attempt, { random: () => 0 }))).toEqual([750, 22_500]);
});

test.each([
  ['in time is as long as it was', { spentMs: 0, delayMs: 5000 }, 5000],
  ['of nothing is nothing', { spentMs: 0, delayMs: 0 }, 0],
  ['that would end behind the budget ends a second ahead of it', { spentMs: 20_000, delayMs: 30_000 }, 9000],
  ['is cut at the moment of the last attempt', { spentMs: 28_999, delayMs: 5000 }, 1],
  ['is none behind the moment of the last attempt', { spentMs: 29_000, delayMs: 0 }, undefined],
  ['is none behind the budget', { spentMs: 30_001, delayMs: 0 }, undefined],
  ['is at least what the server asks for', { spentMs: 0, delayMs: 5000, retryAfterMs: 7000 }, 7000],
  ['is what the server asks for, where that leaves time', { spentMs: 0, delayMs: 0, retryAfterMs: 29_999 }, 29_999],
  ['is none where the server asks for all that is left', { spentMs: 0, delayMs: 0, retryAfterMs: 30_000 }, undefined],
])('within a budget a delay %s', (_, spent, expected) => {
  expect(retryWithin({ budgetMs: 30_000, ...spent })).toBe(expected);
});

test('of a short budget the last tenth is kept for the last attempt', () => {
  expect(retryWithin({ budgetMs: 100, spentMs: 0, delayMs: 1000 })).toBe(90);
  expect(retryWithin({ budgetMs: 100, spentMs: 90, delayMs: 1000 })).toBeUndefined();
});

test('an attempt takes no longer than there is time, but a second at least, and its own time where there was none', () => {
  const attempt = (spentMs: number, timeoutMs = 15_000) => attemptWithin(timeoutMs, { budgetMs: 30_000, spentMs });
  expect([0, 20_000, 28_000, 29_500, 29_999].map((spentMs) => attempt(spentMs))).toEqual([
    15_000, 10_000, 2000, 1000, 1000,
  ]);
  expect([30_000, 40_000].map((spentMs) => attempt(spentMs))).toEqual([15_000, 15_000]);
  expect(attempt(29_999, 500)).toBe(500);
});

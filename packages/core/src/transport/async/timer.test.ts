import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkDurations, setTimer } from './timer.ts';

describe('a timer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([0, 1, 1000, 2 ** 31 - 1, 2 ** 31, 2 ** 33 + 5])('runs after %i ms, not before, and once', async (ms) => {
    const run = vi.fn();
    setTimer(run, ms);
    if (ms > 0) await vi.advanceTimersByTimeAsync(ms - 1);
    expect(run).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of Infinity never runs, and none above 0 runs as soon as possible', async () => {
    const [never, soon] = [vi.fn(), vi.fn()];
    setTimer(never, Infinity);
    expect(vi.getTimerCount()).toBe(0);
    for (const ms of [-1, NaN]) setTimer(soon, ms);
    await vi.advanceTimersByTimeAsync(1);
    expect(soon).toHaveBeenCalledTimes(2);
    expect(never).not.toHaveBeenCalled();
  });

  test.each([5, 2 ** 31 - 1, 2 ** 32])('of %i ms does not run after it was cleared, however late', async (ms) => {
    const run = vi.fn();
    const timer = setTimer(run, ms);
    await vi.advanceTimersByTimeAsync(ms - 1);
    timer.clear();
    await vi.advanceTimersByTimeAsync(2 ** 33);
    expect(run).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('the durations of an options object are checked by their names', () => {
  const check = (ms: unknown, positive?: readonly string[]) => () =>
    checkDurations({ graceMs: ms, other: NaN, laterMs: undefined }, positive);
  for (const ms of [0, 1.5, 2 ** 40, Infinity]) expect(check(ms)).not.toThrow();
  for (const ms of [-1, NaN, '5', null]) expect(check(ms)).toThrow(RangeError);
  expect(check(-1)).toThrow('graceMs must be a number of milliseconds that is at least 0, not -1');
  expect(check(0, ['graceMs'])).toThrow('graceMs must be a number of milliseconds above 0, not 0');
  expect(check('secret')).toThrow('not string');
  expect(() => checkDurations(undefined)).not.toThrow();
});

import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { killGraceOf, watchRun } from './watch-run.ts';

const stops = { interrupt: vi.fn(), close: vi.fn(), kill: vi.fn(), terminate: vi.fn() };
const calls = () => Object.values(stops).map((stop) => stop.mock.calls.length);

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
});

afterEach(() => void vi.useRealTimers());

function watch(limits: { timeoutMs?: number; idleTimeoutMs?: number } = {}) {
  const signals = new EventEmitter();
  const watched = watchRun({ signals, ...limits }, stops);
  onTestFinished(() => watched.leave());
  return { signals, watched };
}

test('SIGINT interrupts first, then closes, then kills; the first reason is kept', () => {
  const { signals, watched } = watch();
  for (const expected of [
    [1, 0, 0, 0],
    [1, 1, 0, 0],
    [1, 1, 1, 0],
    [1, 1, 2, 0],
  ]) {
    signals.emit('SIGINT');
    expect(calls()).toEqual(expected);
  }
  expect(watched.stopped).toBe('interrupted');
});

test('SIGTERM closes the run', () => {
  const { signals, watched } = watch({ timeoutMs: 100 });
  signals.emit('SIGTERM');
  vi.advanceTimersByTime(200);
  expect(watched.stopped).toBe('terminated');
});

test.each([
  [100, 10],
  [1000, 100],
  [20_000, 2000],
  [90_000, 2000],
])('a timeout of %i ms covers the end of the agent, which has %i ms of it', async (timeoutMs, graceMs) => {
  const { watched } = watch({ timeoutMs, idleTimeoutMs: timeoutMs });
  vi.advanceTimersByTime(timeoutMs - graceMs - 1);
  await watched.pausing(() => {});
  expect(watched.stopped).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect([watched.stopped, calls()]).toEqual(['timeout', [0, 0, 0, 1]]);
  expect(killGraceOf({ timeoutMs })).toBe(graceMs);
});

test('without limits of time an agent has the time of its transport to end', () => {
  expect([killGraceOf({}), killGraceOf({ idleTimeoutMs: 100 })]).toEqual([undefined, 2000]);
});

test('the idle timeout ends the agent, but does not count while the agent waits for the host', async () => {
  const { watched } = watch({ idleTimeoutMs: 100 });
  const answers: (() => void)[] = [];
  const waits = [1, 2].map(() => watched.pausing(() => new Promise<void>((resolve) => answers.push(resolve))));
  for (const wait of waits) {
    vi.advanceTimersByTime(1000);
    expect(watched.stopped).toBeUndefined();
    answers.shift()?.();
    await wait;
  }
  vi.advanceTimersByTime(99);
  expect(watched.stopped).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect([watched.stopped, calls()]).toEqual(['idle', [0, 0, 0, 1]]);
});

test('no timer or listener is left after the run, and a very long limit never fires', async () => {
  const { signals, watched } = watch({ timeoutMs: 1e12, idleTimeoutMs: 1e12 });
  vi.advanceTimersByTime(1e6);
  expect(watched.stopped).toBeUndefined();
  watched.leave();
  await watched.pausing(() => {});
  expect([vi.getTimerCount(), signals.eventNames()]).toEqual([0, []]);
});

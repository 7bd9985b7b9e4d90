import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_CLOSE_GRACE_MS, DEFAULT_KILL_GRACE_MS, ShutDown } from './shut-down.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A group that is alive until `exit`. */
function setUp({ hasLeftover = false, killGraceMs = DEFAULT_KILL_GRACE_MS } = {}) {
  const sent: string[] = [];
  const group = { alive: true, hasLeftover };
  const onGone = vi.fn<() => void>();
  const shutDown = new ShutDown({
    signal(signal) {
      const there = group.alive || group.hasLeftover;
      if (signal !== 0 && there) sent.push(signal);
      return there;
    },
    onGone,
    closeGraceMs: DEFAULT_CLOSE_GRACE_MS,
    killGraceMs,
  });
  const exit = () => {
    group.alive = false;
    shutDown.exited();
  };
  return { shutDown, sent, group, onGone, exit };
}

describe('a child that is asked to exit', () => {
  verifies(['PROC-4', 'PROC-5'], 'has a grace, then gets SIGTERM, and SIGKILL 5 s later', () => {
    const { shutDown, sent, onGone, exit } = setUp();
    shutDown.leave();
    vi.advanceTimersByTime(DEFAULT_CLOSE_GRACE_MS - 1);
    expect([sent, shutDown.killed]).toEqual([[], false]);
    vi.advanceTimersByTime(1);
    expect([sent, shutDown.killed]).toEqual([['SIGTERM'], true]);
    expect(DEFAULT_KILL_GRACE_MS).toBe(5000);
    vi.advanceTimersByTime(4999);
    expect(sent).toEqual(['SIGTERM']);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
    expect(onGone).not.toHaveBeenCalled();
    exit();
    expect(onGone).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without a grace gets SIGTERM at once and once, and SIGKILL after 5 s', () => {
    const { shutDown, sent } = setUp();
    shutDown.terminate();
    shutDown.leave();
    shutDown.terminate();
    vi.advanceTimersByTime(DEFAULT_KILL_GRACE_MS - 1);
    expect(sent).toEqual(['SIGTERM']);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
  });

  test('and exits in time gets no signal', () => {
    const { shutDown, sent, onGone, exit } = setUp();
    shutDown.leave();
    exit();
    vi.runAllTimers();
    expect([sent, shutDown.killed]).toEqual([[], false]);
    expect(onGone).toHaveBeenCalledOnce();
  });

  test('gets a new grace with each request until the first signal', () => {
    const { shutDown, sent } = setUp();
    shutDown.leave();
    vi.advanceTimersByTime(DEFAULT_CLOSE_GRACE_MS - 1);
    shutDown.leave();
    vi.advanceTimersByTime(DEFAULT_CLOSE_GRACE_MS - 1);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    shutDown.leave();
    vi.advanceTimersByTime(DEFAULT_KILL_GRACE_MS);
    expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
  });
});

test('kill sends SIGKILL at once in any state', () => {
  for (const before of [() => {}, (shutDown: ShutDown) => shutDown.leave()]) {
    const { shutDown, sent, exit, onGone } = setUp();
    before(shutDown);
    shutDown.kill();
    expect(sent).toEqual(['SIGKILL']);
    exit();
    expect(onGone).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  }
});

describe('a child that is aborted', () => {
  verifies(['PROC-5', 'PROC-7'], 'gets SIGTERM at once and once, in any state, and SIGKILL after 2 s', () => {
    const states = [() => {}, (shutDown: ShutDown) => shutDown.leave(), (shutDown: ShutDown) => shutDown.terminate()];
    for (const before of states) {
      const { shutDown, sent, exit, onGone } = setUp();
      before(shutDown);
      shutDown.abort();
      expect([sent, shutDown.killed]).toEqual([['SIGTERM'], true]);
      vi.advanceTimersByTime(1000);
      shutDown.leave();
      shutDown.terminate();
      vi.advanceTimersByTime(999);
      expect(sent).toEqual(['SIGTERM']);
      vi.advanceTimersByTime(1);
      expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
      exit();
      expect(onGone).toHaveBeenCalledOnce();
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  test('gets SIGKILL sooner when that was due sooner', () => {
    const late = setUp();
    late.shutDown.terminate();
    vi.advanceTimersByTime(DEFAULT_KILL_GRACE_MS - 1);
    late.shutDown.abort();
    const brief = setUp({ killGraceMs: 1 });
    brief.shutDown.abort();
    expect([late.sent, brief.sent]).toEqual([['SIGTERM'], ['SIGTERM']]);
    vi.advanceTimersByTime(1);
    expect([late.sent, brief.sent]).toEqual(Array(2).fill(['SIGTERM', 'SIGKILL']));
  });

  test('and exits gets no SIGKILL, and no signal after its kill or exit', () => {
    const leaving = setUp();
    leaving.shutDown.abort();
    leaving.exit();
    leaving.shutDown.abort();
    const killed = setUp();
    killed.shutDown.kill();
    killed.shutDown.abort();
    vi.runAllTimers();
    expect([leaving.sent, killed.sent, vi.getTimerCount()]).toEqual([['SIGTERM'], ['SIGKILL'], 0]);
  });
});

describe('a process that a child leaves running', () => {
  verifies('PROC-5', 'gets SIGTERM, and the shutdown ends when no process is left', () => {
    const { sent, group, onGone, exit } = setUp({ hasLeftover: true });
    exit();
    expect([sent, onGone.mock.calls.length]).toEqual([['SIGTERM'], 0]);
    group.hasLeftover = false;
    vi.runOnlyPendingTimers();
    expect([sent, onGone.mock.calls.length, vi.getTimerCount()]).toEqual([['SIGTERM'], 1, 0]);
  });

  verifies('PROC-5', 'is killed when it does not exit, and the shutdown ends even if the kill fails', () => {
    const { sent, onGone, exit } = setUp({ hasLeftover: true });
    exit();
    vi.runAllTimers();
    expect([sent, onGone.mock.calls.length, vi.getTimerCount()]).toEqual([['SIGTERM', 'SIGKILL'], 1, 0]);
  });

  test('is killed at once by kill', () => {
    const { shutDown, sent, exit, onGone } = setUp({ hasLeftover: true });
    exit();
    shutDown.kill();
    expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
    vi.runAllTimers();
    expect(onGone).toHaveBeenCalledOnce();
    const killed = setUp({ hasLeftover: true });
    killed.shutDown.kill();
    killed.exit();
    expect(killed.sent).toEqual(['SIGKILL', 'SIGKILL']);
    vi.runAllTimers();
    expect(killed.onGone).toHaveBeenCalledOnce();
  });
});

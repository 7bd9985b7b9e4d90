import { describe, expect, test, vi } from 'vitest';

import { sleep, withDeadline } from './deadline.ts';

const never = new Promise<never>(() => {});
const late = (): never => {
  throw new Error('late');
};

describe('a deadline', () => {
  test('lets a promise settle earlier, and leaves no timer', async () => {
    vi.useFakeTimers();
    try {
      expect(await withDeadline(Promise.resolve(1), { ms: 1000 }, late)).toBe(1);
      await expect(withDeadline(Promise.reject(new Error('broken')), { ms: 1000 }, late)).rejects.toThrow('broken');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('rejects with the error that `onTime` throws, after as much more time as `onTime` returned', async () => {
    vi.useFakeTimers();
    try {
      const asked: number[] = [];
      const waiting = withDeadline(never, { ms: 100 }, () => (asked.push(Date.now()) < 3 ? 50 : late()));
      const settled = expect(waiting).rejects.toThrow('late');
      const start = Date.now();
      await vi.advanceTimersByTimeAsync(1000);
      await settled;
      expect(asked.map((at) => at - start)).toEqual([100, 150, 200]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('rejects with the reason of the signal, also if the signal had aborted already', async () => {
    const controller = new AbortController();
    const reason = new Error('over');
    const waiting = withDeadline(never, { ms: 10_000, signal: controller.signal }, late);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(withDeadline(never, { ms: 10_000, signal: controller.signal }, late)).rejects.toBe(reason);
  });
});

describe('a sleep', () => {
  test('ends after its time, or when the other promise settles in either way', async () => {
    await sleep({ ms: 1 });
    await sleep({ ms: 100_000 }, Promise.resolve());
    await sleep({ ms: 100_000 }, Promise.reject(new Error('failed')));
  });

  test('rejects when the signal aborts', async () => {
    await expect(sleep({ ms: 100_000, signal: AbortSignal.abort('stop') })).rejects.toBe('stop');
  });
});

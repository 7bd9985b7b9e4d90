import { afterEach, expect, test, vi } from 'vitest';

import { UnreadTime } from './unread-time.ts';

afterEach(() => vi.useRealTimers());

test('counts pauses of reading, and the time in which the process did nothing else', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const unread = new UnreadTime();
  vi.advanceTimersByTime(5000);
  expect(unread.ms).toBe(0);
  unread.isPaused = true;
  vi.advanceTimersByTime(1500);
  unread.isPaused = false;
  vi.advanceTimersByTime(1000);
  expect(unread.ms).toBe(1500);
  unread.stop();
  // No timer runs any more, as while the process computes something.
  vi.advanceTimersByTime(3000);
  expect(unread.ms).toBe(4500);
});

import { vi } from 'vitest';

/** Waits until a check throws no more, long enough for programs to start; gives what it gives then. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 10_000, interval: 20 });
}

import { vi } from 'vitest';

/** Repeats a check until it does not throw, long enough for programs to start; returns its value. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 10_000, interval: 20 });
}

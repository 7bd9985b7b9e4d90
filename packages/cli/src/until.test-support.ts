import { vi } from 'vitest';

/** Repeats a check until it does not throw, for long enough that programs can start. Returns the value of the check. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 10_000, interval: 20 });
}

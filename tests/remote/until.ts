import { expect, vi } from 'vitest';

/** Waits for a check to come true, long enough for a machine with much else to do. */
export function until(check: () => unknown): Promise<void> {
  return vi.waitFor(async () => expect(await check()).toBeTruthy(), { timeout: 20_000, interval: 10 });
}

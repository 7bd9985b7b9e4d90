import type { SoakReport } from './run-soak.ts';

/** How far the heap may grow in a soak run, however many messages are sent. */
export const MAX_GROWTH_BYTES: number = 5 * 2 ** 20;

/** Returns what a soak run has shown to be wrong. */
export function failuresOf(report: SoakReport): readonly string[] {
  const { messages, requests, lost, doubled, outOfOrder, growthBytes, problems } = report;
  const asked = Math.floor(messages / 10);
  const failures: string[] = [...problems];
  if (lost + doubled + outOfOrder > 0) failures.push('not every message arrived once and in order');
  if (requests !== asked) failures.push(`${asked - requests} of ${asked} control requests were not answered`);
  if (growthBytes > MAX_GROWTH_BYTES) failures.push(`the heap has grown by ${growthBytes} bytes`);
  return failures;
}

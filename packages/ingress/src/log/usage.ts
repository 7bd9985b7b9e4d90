import type { Usage } from './event-log.ts';
import { EventLogError } from './event-log-error.ts';

/** Whether a stream counts as one of `Usage.streams`: no part of another stream, and none of the server itself. */
export function isCounted(stream: string): boolean {
  return !stream.includes('/') && !stream.startsWith('@');
}

/** Whether a write has to be taken back: it made the store larger than it may be. One that makes it smaller is always right. */
export function isTooMuch(before: Usage, after: Usage, maxTotalBytes: number): boolean {
  return after.bytes > maxTotalBytes && after.bytes > before.bytes;
}

/** What such a write rejects with. */
export function aboveLimit(maxTotalBytes: number): EventLogError {
  return new EventLogError('full', `event log: full, at its limit of ${maxTotalBytes} bytes; what expires makes room`);
}

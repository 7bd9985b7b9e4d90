/** The longest wait that a server may ask for, by `Retry-After` or `retry:`, in milliseconds. */
export const DEFAULT_MAX_RETRY_AFTER_MS = 300_000;

/** The value of a `Retry-After` header, seconds or a date, in milliseconds from now; 0 where there is none that can be read. */
export function retryAfterMs(value: string | null, now: number): number {
  if (value === null || value.trim() === '') return 0;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return ms > 0 ? Math.min(ms, DEFAULT_MAX_RETRY_AFTER_MS) : 0;
}

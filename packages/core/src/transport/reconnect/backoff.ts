/** How the delays between attempts grow. */
export interface BackoffOptions {
  /** The delay before the second attempt, in milliseconds. Default 1000. */
  readonly baseMs?: number;
  /** The longest delay, before jitter is added, in milliseconds. Default 30 000. */
  readonly capMs?: number;
  /** How far a delay may randomly deviate, as a share of the delay from 0 to 1. Default 0.25. */
  readonly jitter?: number;
  /** Returns a number from 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
}

export const DEFAULT_BACKOFF_BASE_MS = 1000;
export const DEFAULT_BACKOFF_CAP_MS = 30_000;
export const DEFAULT_BACKOFF_JITTER = 0.25;

/**
 * Returns how long to wait before an attempt, in milliseconds. Attempt 1 is made at once, because most interruptions are short. Attempt 2 waits for
 * `baseMs`, and each later attempt waits twice as long as the previous attempt, up to the cap. Jitter keeps many clients from reconnecting at the
 * same time.
 */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
  if (attempt <= 1) return 0;
  const { baseMs = DEFAULT_BACKOFF_BASE_MS, capMs = DEFAULT_BACKOFF_CAP_MS } = options;
  const { jitter = DEFAULT_BACKOFF_JITTER, random = Math.random } = options;
  // With more than about 1000 doublings, the factor is infinite, and a base of 0 times an infinite factor is NaN.
  const delay = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 2, 1000));
  return Math.round(delay * (1 - jitter + 2 * jitter * random()));
}

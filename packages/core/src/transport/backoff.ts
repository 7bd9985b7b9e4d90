/** How delays between attempts grow. */
export interface BackoffOptions {
  /** Delay of the second attempt. Default `DEFAULT_BACKOFF_BASE_MS`. */
  readonly baseMs?: number;
  /** The longest delay before jitter. Default `DEFAULT_BACKOFF_CAP_MS`. */
  readonly capMs?: number;
  /** How far a delay may deviate, as a share of it from 0 to 1. Default `DEFAULT_BACKOFF_JITTER`. */
  readonly jitter?: number;
  /** From 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/** The default of `baseMs`. */
export const DEFAULT_BACKOFF_BASE_MS = 1000;
/** The default of `capMs`. */
export const DEFAULT_BACKOFF_CAP_MS = 30_000;
/** The default of `jitter`. */
export const DEFAULT_BACKOFF_JITTER = 0.25;

/**
 * How long to wait before an attempt to reconnect, in milliseconds. Attempt 1 goes at once, because most breaks are over before
 * anybody notices; then the base, doubled each time up to the cap, with jitter so that many clients do not come back together.
 */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
  if (attempt <= 1) return 0;
  const { baseMs = DEFAULT_BACKOFF_BASE_MS, capMs = DEFAULT_BACKOFF_CAP_MS } = options;
  const { jitter = DEFAULT_BACKOFF_JITTER, random = Math.random } = options;
  // Beyond 1000 doublings the factor is infinite, and a base of 0 times that is no number.
  const delay = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 2, 1000));
  return Math.round(delay * (1 - jitter + 2 * jitter * random()));
}

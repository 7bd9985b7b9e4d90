/** How the delays between attempts grow. */
export interface BackoffOptions {
  /** The delay of the second attempt, in milliseconds. Default 1000. */
  readonly baseMs?: number;
  /** The longest delay before jitter, in milliseconds. Default 30 000. */
  readonly capMs?: number;
  /** How far a delay may deviate, as a share of the delay from 0 to 1. Default 0.25. */
  readonly jitter?: number;
  /** Gives a number from 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/** The default of `baseMs`: 1000 ms. */
export const DEFAULT_BACKOFF_BASE_MS = 1000;
/** The default of `capMs`: 30 seconds. */
export const DEFAULT_BACKOFF_CAP_MS = 30_000;
/** The default of `jitter`: a quarter. */
export const DEFAULT_BACKOFF_JITTER = 0.25;

/**
 * Says how long to wait before an attempt, in milliseconds. Attempt 1 goes at once, because most breaks are over before anybody notices.
 * The second waits for `baseMs`, and each later attempt twice as long as the one before, up to the cap. Jitter keeps many clients from
 * coming back together.
 */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
  if (attempt <= 1) return 0;
  const { baseMs = DEFAULT_BACKOFF_BASE_MS, capMs = DEFAULT_BACKOFF_CAP_MS } = options;
  const { jitter = DEFAULT_BACKOFF_JITTER, random = Math.random } = options;
  // Beyond 1000 doublings the factor is infinite, and a base of 0 times that is no number.
  const delay = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 2, 1000));
  return Math.round(delay * (1 - jitter + 2 * jitter * random()));
}

/** What there is to spend on attempts, all in milliseconds. */
export interface RetryBudget {
  /** How long attempts may go on. */
  readonly budgetMs: number;
  /** How long they have gone on. */
  readonly spentMs: number;
  /** The delay before the next one. */
  readonly delayMs: number;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

const LAST_ATTEMPT_MS = 1000;

/**
 * How long to wait before the next attempt, so that the last one is made within the budget and not behind it; undefined where the time for
 * attempts is over.
 */
export function retryWithin({ budgetMs, spentMs, delayMs, retryAfterMs = 0 }: RetryBudget): number | undefined {
  const leftMs = budgetMs - spentMs;
  const latestMs = leftMs - Math.min(LAST_ATTEMPT_MS, budgetMs / 10);
  if (latestMs <= 0 || retryAfterMs >= leftMs) return undefined;
  return Math.max(Math.min(delayMs, latestMs), retryAfterMs);
}

/** How long an attempt may take: no longer than there is time for attempts, unless it is the only one. */
export function attemptWithin(
  timeoutMs: number,
  { budgetMs, spentMs }: Pick<RetryBudget, 'budgetMs' | 'spentMs'>,
): number {
  const leftMs = budgetMs - spentMs;
  // Of a budget of a moment there is time for one attempt.
  return leftMs > 0 ? Math.min(timeoutMs, Math.max(leftMs, LAST_ATTEMPT_MS)) : timeoutMs;
}

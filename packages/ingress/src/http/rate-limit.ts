import { Refusal } from './refusal.ts';

/** Requests of one account, or of the worker of one session, in a second. */
export const DEFAULT_MAX_REQUESTS_PER_SECOND = 5000;
/** Whoever was silent may make the requests of so long a time at once. */
const BURST_MS = 5000;
const MAX_NAMES = 10_000;

/** Counts a request of somebody. Throws a `Refusal` for one too many, with the time after which there is room again. */
export type RateLimit = (name: string) => void;

/** Makes a limit of so many requests in a second, for each name by itself. */
export function createRateLimit(perSecond: number, now: () => number): RateLimit {
  const everyMs = 1000 / perSecond;
  // When each would have made its last request, had it kept to the rate: one number says how much of the burst is left.
  const paid = new Map<string, number>();
  return (name) => {
    const time = now();
    const until = Math.max(paid.get(name) ?? 0, time) + everyMs;
    const aheadMs = until - time - BURST_MS;
    if (aheadMs > 0) {
      const seconds = String(Math.ceil(aheadMs / 1000));
      throw new Refusal(429, 'rate_limit_error', 'too many requests', { headers: { 'retry-after': seconds } });
    }
    if (paid.size >= MAX_NAMES) for (const [other, paidUntil] of paid) if (paidUntil <= time) paid.delete(other);
    paid.set(name, until);
  };
}

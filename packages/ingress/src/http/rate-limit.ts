import { Refusal } from './refusal.ts';

/** Requests of one account, or of the worker of one session, in a second. */
export const DEFAULT_MAX_REQUESTS_PER_SECOND = 5000;
/** Whoever was silent may make the requests of so long a time at once. */
const BURST_MS = 5000;
/** With fewer names, nobody is looked for who may be forgotten. */
const FEW_NAMES = 10_000;

/** Counts a request of somebody. Throws a `Refusal` for one too many, with the time after which there is room again. */
export type RateLimit = (name: string) => void;

/** Makes a limit of so many requests in a second, for each name by itself; one at least, however slow the rate. */
export function createRateLimit(perSecond: number, now: () => number): RateLimit {
  const everyMs = 1000 / perSecond;
  const burstMs = Math.max(BURST_MS, everyMs);
  // When each would have made its last request, had it kept to the rate: one number says how much of the burst is left.
  const paid = new Map<string, number>();
  let sweepAt = FEW_NAMES;
  return (name) => {
    const time = now();
    const before = paid.get(name) ?? time;
    // Nobody is further ahead than the burst, but by a clock that was set back.
    const from = before > time + burstMs + everyMs ? time : Math.max(before, time);
    const until = from + everyMs;
    const aheadMs = until - time - burstMs;
    if (aheadMs > 0) {
      const seconds = String(Math.ceil(aheadMs / 1000));
      throw new Refusal(429, 'rate_limit_error', 'too many requests', { headers: { 'retry-after': seconds } });
    }
    paid.set(name, until);
    if (paid.size < sweepAt) return;
    // Whoever has all of the burst again is like somebody new. As often as their number doubles, so that a request costs the same.
    for (const [other, paidUntil] of paid) if (paidUntil <= time) paid.delete(other);
    sweepAt = Math.max(FEW_NAMES, 2 * paid.size);
  };
}

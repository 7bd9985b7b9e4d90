import { Refusal } from '../http/refusal.ts';

/** Bytes that an approver may send in a second: 4 MiB, because answers are small. */
export const MAX_APPROVER_BYTES_PER_SECOND = 4 * 1024 * 1024;
/** Bytes that a viewer may send in a second: 64 KiB, because a viewer sends only keep-alives. */
export const MAX_VIEWER_BYTES_PER_SECOND = 64 * 1024;
/** The length of a burst: after a pause, a sender may immediately send the requests that are allowed in this many milliseconds. */
export const REQUEST_BURST_MS = 5000;
/** The length of a burst: after a pause, a sender may immediately send the bytes that are allowed in this many milliseconds. */
export const BYTE_BURST_MS = 1000;
/** How much the server's own answers to one account may add to the log of a session in a second: 8 Ki UTF-16 units. */
const ANSWER_UNITS_PER_SECOND = 8 * 1024;
/** The length of a burst, in milliseconds: enough for about twenty answers of the size that a published agent sends. */
const ANSWER_BURST_MS = 512_000;
const MIN_NAMES_TO_SWEEP = 10_000;

/** The rate for each name, and the maximum size of a burst after a pause. */
export interface RateOptions {
  readonly perSecond: number;
  readonly burstMs: number;
  /** Returns the time in milliseconds, by any clock. */
  readonly now: () => number;
}

/** A limit per second for each name. Every amount is granted after some time, even an amount above the burst. */
export class RateLimit {
  readonly #everyMs: number;
  readonly #burstMs: number;
  readonly #now: () => number;
  /** For each name, the time at which all its amounts so far will be within the rate. This one number determines how much of the burst is left. */
  readonly #paidUntil = new Map<string, number>();
  #largestMs = 0;
  #namesToSweep = this.#paidUntil.entries();

  constructor({ perSecond, burstMs, now }: RateOptions) {
    this.#everyMs = 1000 / perSecond;
    this.#burstMs = Math.max(burstMs, this.#everyMs);
    this.#now = now;
  }

  /** Counts an amount if the limit allows it now, and returns 0. Otherwise counts nothing and returns the milliseconds to wait. */
  take(name: string, amount = 1): number {
    const time = this.#now();
    const from = this.#paidFrom(name, time);
    const costMs = amount * this.#everyMs;
    const aheadMs = from + Math.min(costMs, this.#burstMs) - time - this.#burstMs;
    if (aheadMs <= 0) this.#pay(name, from + costMs, time);
    return Math.max(0, aheadMs);
  }

  /** Counts an amount that has already arrived. Returns the milliseconds to wait before more may arrive, or 0. */
  owe(name: string, amount: number): number {
    const time = this.#now();
    const until = this.#paidFrom(name, time) + amount * this.#everyMs;
    this.#pay(name, until, time);
    return Math.max(0, until - time - this.#burstMs);
  }

  #paidFrom(name: string, time: number): number {
    const paidUntil = this.#paidUntil.get(name) ?? time;
    // If this time is later than the burst and the largest amount allow, the clock was set back.
    return paidUntil > time + this.#burstMs + this.#largestMs ? time : Math.max(paidUntil, time);
  }

  #pay(name: string, until: number, time: number): void {
    this.#largestMs = Math.max(this.#largestMs, until - time - this.#burstMs);
    this.#paidUntil.set(name, until);
    if (this.#paidUntil.size >= MIN_NAMES_TO_SWEEP) this.#sweep(time);
  }

  /**
   * Removes names whose whole burst is available, because they are equivalent to new names. For each counted amount, two names are checked, which is
   * more than can be added in the same time.
   */
  #sweep(time: number): void {
    for (let looks = 0; looks < 2; looks++) {
      const next = this.#namesToSweep.next();
      if (next.done === true) {
        this.#namesToSweep = this.#paidUntil.entries();
        return;
      }
      const [name, paidUntil] = next.value;
      if (paidUntil <= time) this.#paidUntil.delete(name);
    }
  }
}

/**
 * Creates the limit for the server's own answers to one account. The answers are stored, and too many answers would push other events out of the log.
 */
export function createAnswerRate(now: () => number): RateLimit {
  return new RateLimit({ perSecond: ANSWER_UNITS_PER_SECOND, burstMs: ANSWER_BURST_MS, now });
}

/**
 * Refuses a request that exceeds a limit.
 * @throws {Refusal} with status 429 and `Retry-After`, unless the wait is 0.
 */
export function refuseUntil(waitMs: number, what: string): void {
  if (waitMs <= 0) return;
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  throw new Refusal(429, 'rate_limit_error', `too many ${what}`, { headers });
}

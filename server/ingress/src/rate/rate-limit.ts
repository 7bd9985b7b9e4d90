import { Refusal } from '../http/refusal.ts';

/** Bytes that an approver may send in a second: 4 MiB, since answers are small. */
export const MAX_APPROVER_BYTES_PER_SECOND = 4 * 1024 * 1024;
/** Bytes that a viewer may send in a second: 64 KiB, since a viewer sends only keep-alives. */
export const MAX_VIEWER_BYTES_PER_SECOND = 64 * 1024;
/** After a silence, the requests of this many milliseconds may come at once. */
export const REQUEST_BURST_MS = 5000;
/** After a silence, the bytes of this many milliseconds may come at once. */
export const BYTE_BURST_MS = 1000;
/** How much the server's own answers to one account may add to the log of a session in a second: 8 Ki UTF-16 units. */
const ANSWER_UNITS_PER_SECOND = 8 * 1024;
/** Enough for about twenty answers like those of a published agent at once. */
const ANSWER_BURST_MS = 512_000;
const MIN_NAMES_TO_SWEEP = 10_000;

/** The rate of each name, and how much of it may come at once after a silence. */
export interface RateOptions {
  readonly perSecond: number;
  readonly burstMs: number;
  /** The time, in milliseconds. */
  readonly now: () => number;
}

/** A limit for each second and each name. Any amount is granted after some time, also an amount above the burst. */
export class RateLimit {
  readonly #everyMs: number;
  readonly #burstMs: number;
  readonly #now: () => number;
  /** For each name, the time up to which its amounts are paid at the rate. This one number determines how much of the burst is left. */
  readonly #paidUntil = new Map<string, number>();
  #largestMs = 0;
  #namesToSweep = this.#paidUntil.entries();

  constructor({ perSecond, burstMs, now }: RateOptions) {
    this.#everyMs = 1000 / perSecond;
    this.#burstMs = Math.max(burstMs, this.#everyMs);
    this.#now = now;
  }

  /** Takes an amount, if there is room for it. Returns the milliseconds to wait until there is room; 0 if the amount was taken. */
  take(name: string, amount = 1): number {
    const time = this.#now();
    const from = this.#paidFrom(name, time);
    const costMs = amount * this.#everyMs;
    const aheadMs = from + Math.min(costMs, this.#burstMs) - time - this.#burstMs;
    if (aheadMs <= 0) this.#pay(name, from + costMs, time);
    return Math.max(0, aheadMs);
  }

  /** Counts an amount that has already come. Returns the milliseconds to wait before more may come; 0 for none. */
  owe(name: string, amount: number): number {
    const time = this.#now();
    const until = this.#paidFrom(name, time) + amount * this.#everyMs;
    this.#pay(name, until, time);
    return Math.max(0, until - time - this.#burstMs);
  }

  #paidFrom(name: string, time: number): number {
    const paidUntil = this.#paidUntil.get(name) ?? time;
    // Only a clock that was set back can make this time later than the burst and the largest amount.
    return paidUntil > time + this.#burstMs + this.#largestMs ? time : Math.max(paidUntil, time);
  }

  #pay(name: string, until: number, time: number): void {
    this.#largestMs = Math.max(this.#largestMs, until - time - this.#burstMs);
    this.#paidUntil.set(name, until);
    if (this.#paidUntil.size >= MIN_NAMES_TO_SWEEP) this.#sweep(time);
  }

  /**
   * Removes names with their whole burst, which are like new names. Looks at two names for each that is paid for: more than can be added in the same
   * time.
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

/** Creates the limit of the server's own answers to one account. They are stored, and too many would push other events out of the log. */
export function createAnswerRate(now: () => number): RateLimit {
  return new RateLimit({ perSecond: ANSWER_UNITS_PER_SECOND, burstMs: ANSWER_BURST_MS, now });
}

/**
 * Refuses a request above a limit.
 * @throws {Refusal} with status 429 and `Retry-After`, unless the wait is 0.
 */
export function refuseUntil(waitMs: number, what: string): void {
  if (waitMs <= 0) return;
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  throw new Refusal(429, 'rate_limit_error', `too many ${what}`, { headers });
}

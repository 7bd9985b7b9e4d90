import { Refusal } from '../http/refusal.ts';

/** Bytes that an approver may send in a second: 4 MiB, since answers are small. */
export const MAX_APPROVER_BYTES_PER_SECOND = 4 * 1024 * 1024;
/** The same for a viewer, who has nothing to say but signs of life: 64 KiB. */
export const MAX_VIEWER_BYTES_PER_SECOND = 64 * 1024;
/** Whoever was silent may make the requests of so long a time at once. */
export const REQUEST_BURST_MS = 5000;
/** Whoever was silent may send the bytes of so long a time at once. */
export const BYTE_BURST_MS = 1000;
/** What the server's own answers to one account may add to the log of a session in a second: 8 Ki UTF-16 units. */
const ANSWER_UNITS_PER_SECOND = 8 * 1024;
/** About twenty answers of a published agent. */
const ANSWER_BURST_MS = 512_000;
/** With fewer names, nobody is looked for who may be forgotten. */
const FEW_NAMES = 10_000;

/** What each name may use in a second, and how much of it at once after a silence. */
export interface RateOptions {
  readonly perSecond: number;
  readonly burstMs: number;
  /** The clock, in milliseconds. */
  readonly now: () => number;
}

/** A limit of so much in a second, for each name by itself. However slow the rate and however much is asked for at once, it is granted after a while. */
export class RateLimit {
  readonly #everyMs: number;
  readonly #burstMs: number;
  readonly #now: () => number;
  /** When each would have used what it has, had it kept to the rate: one number says how much of the burst is left. */
  readonly #paidUntil = new Map<string, number>();
  #largestMs = 0;
  #sweepAt = FEW_NAMES;

  constructor({ perSecond, burstMs, now }: RateOptions) {
    this.#everyMs = 1000 / perSecond;
    this.#burstMs = Math.max(burstMs, this.#everyMs);
    this.#now = now;
  }

  /** Takes an amount, where there is room for it. Gives the milliseconds to wait until there is; 0 where it was taken. */
  take(name: string, amount = 1): number {
    const time = this.#now();
    const from = this.#from(name, time);
    const costMs = amount * this.#everyMs;
    const aheadMs = from + Math.min(costMs, this.#burstMs) - time - this.#burstMs;
    if (aheadMs <= 0) this.#pay(name, from + costMs, time);
    return Math.max(0, aheadMs);
  }

  /** Takes an amount that has come already. Gives the milliseconds to wait before more is taken; 0 for none. */
  owe(name: string, amount: number): number {
    const time = this.#now();
    const until = this.#from(name, time) + amount * this.#everyMs;
    this.#pay(name, until, time);
    return Math.max(0, until - time - this.#burstMs);
  }

  /** From when on more has to be paid for. */
  #from(name: string, time: number): number {
    const paidUntil = this.#paidUntil.get(name) ?? time;
    // Only a clock that was set back can put a name further ahead than the burst and the largest amount.
    return paidUntil > time + this.#burstMs + this.#largestMs ? time : Math.max(paidUntil, time);
  }

  #pay(name: string, until: number, time: number): void {
    this.#largestMs = Math.max(this.#largestMs, until - time - this.#burstMs);
    this.#paidUntil.set(name, until);
    if (this.#paidUntil.size < this.#sweepAt) return;
    // Whoever has all of the burst again is like somebody new. As often as their number doubles, so that a request costs the same.
    for (const [other, paidUntil] of this.#paidUntil) if (paidUntil <= time) this.#paidUntil.delete(other);
    this.#sweepAt = Math.max(FEW_NAMES, 2 * this.#paidUntil.size);
  }
}

/** How much the server may answer to one account by itself: what it says is kept, and would push everything else out of the log. */
export function createAnswerRate(now: () => number): RateLimit {
  return new RateLimit({ perSecond: ANSWER_UNITS_PER_SECOND, burstMs: ANSWER_BURST_MS, now });
}

/**
 * Ends a request that is one too many.
 * @throws {Refusal} with status 429 and the time to wait, unless that is 0.
 */
export function refuseUntil(waitMs: number, what: string): void {
  if (waitMs <= 0) return;
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  throw new Refusal(429, 'rate_limit_error', `too many ${what}`, { headers });
}

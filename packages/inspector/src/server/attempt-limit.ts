/** How many wrong tokens may come at once: 20. */
const BURST = 20;
/** How long it takes until one more may come, in milliseconds: 1 s. */
const EVERY_MS = 1000;

/**
 * Limits how fast tokens can be guessed: 20 wrong ones at once, and then one a second. The limit is one for all visitors, since the addresses of
 * visitors behind a proxy are not known. Right tokens do not count.
 */
export class AttemptLimit {
  readonly #now: () => number;
  /** The time at which no wrong token is counted any more. */
  #paidUntil = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How long the next token has to wait, in milliseconds; 0 where it can be tried now. */
  waitMs(): number {
    return Math.max(0, this.#paidUntil - this.#now() - (BURST - 1) * EVERY_MS);
  }

  /** Counts a wrong token. */
  count(): void {
    this.#paidUntil = Math.max(this.#paidUntil, this.#now()) + EVERY_MS;
  }
}

import { yieldToEventLoop } from '../event-loop.ts';
import type { Claimed, EventLogError, WriteCondition } from './event-log.ts';
import { claimedName, refusalOf } from './store-rules.ts';

interface Claim {
  readonly node: string;
  readonly epoch: number;
  until: number;
}

/** `expire` checks this many claims in one turn of the event loop, which takes less than 1 ms. */
const EXPIRE_SLICE = 100;

/** The claims of a store that only one process uses; see `EventLog.claim`. */
export class Claims {
  readonly #claims = new Map<string, Claim>();
  #lastEpoch: number;

  /** @param lastEpoch the highest epoch that the store has ever given. */
  constructor(lastEpoch = 0) {
    this.#lastEpoch = lastEpoch;
  }

  /** The highest epoch that the store has ever given. */
  get lastEpoch(): number {
    return this.#lastEpoch;
  }

  claim(stream: string, node: string, ttlMs: number, now: number): Claimed {
    const name = claimedName(stream);
    const present = this.#claims.get(name);
    if (present?.node === node) {
      present.until = now + ttlMs;
      return { epoch: present.epoch };
    }
    if (present !== undefined && now < present.until) return { heldBy: present.node, heldForMs: present.until - now };
    const epoch = ++this.#lastEpoch;
    this.#claims.set(name, { node, epoch, until: now + ttlMs });
    return { epoch };
  }

  release(stream: string, epoch: number): void {
    const name = claimedName(stream);
    if (this.#claims.get(name)?.epoch === epoch) this.#claims.delete(name);
  }

  /** Returns why a write may not be stored, given the last sequence number of its stream; undefined if its condition is met. */
  refusalOf(stream: string, condition: WriteCondition, last: () => number): EventLogError | undefined {
    return refusalOf(condition, this.#claims.get(claimedName(stream))?.epoch, last);
  }

  /**
   * Removes the claims that expired more than `maxAgeMs` ago: after that time, no write under them can still be in progress. Other work can run in
   * between.
   */
  async expire(now: number, maxAgeMs: number): Promise<void> {
    let looked = 0;
    for (const [name, { until }] of this.#claims) {
      if (now - until > maxAgeMs) this.#claims.delete(name);
      if (++looked % EXPIRE_SLICE === 0) await yieldToEventLoop();
    }
  }
}

import { type Claimed, EventLogError, type WriteCondition } from './event-log.ts';

interface Claim {
  readonly node: string;
  readonly epoch: number;
  until: number;
}

/** The claims of a store in one process; see `EventLog.claim`. */
export class Claims {
  readonly #claims = new Map<string, Claim>();
  #lastEpoch: number;

  /** @param lastEpoch the highest epoch that the store ever gave. */
  constructor(lastEpoch = 0) {
    this.#lastEpoch = lastEpoch;
  }

  /** The highest epoch that the store ever gave. */
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

  /** Why a write may not be stored, given the last sequence number of its stream; undefined if its condition holds. */
  refusalOf(stream: string, condition: WriteCondition, last: () => number): EventLogError | undefined {
    const { after, epoch } = condition;
    if (epoch !== undefined && this.#claims.get(claimedName(stream))?.epoch !== epoch) {
      const message = `event log: epoch ${epoch} has no claim any more; stop writing, claim again and read on`;
      return new EventLogError('fenced', message);
    }
    if (after === undefined) return undefined;
    const present = last();
    if (present === after) return undefined;
    const message = `event log: the stream is at ${present}, not at ${after}; read on and decide again`;
    return new EventLogError('conflict', message);
  }

  /** Forgets the claims that ran out this long ago: too long for writes that are still under way. */
  expire(now: number, maxAgeMs: number): void {
    for (const [name, { until }] of this.#claims) if (now - until > maxAgeMs) this.#claims.delete(name);
  }
}

/** A stream and its parts have one claim, so that a node that lost a session loses all of it at once. */
function claimedName(stream: string): string {
  const end = stream.indexOf('/');
  return end === -1 ? stream : stream.slice(0, end);
}

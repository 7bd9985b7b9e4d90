import type { KnownEvent } from '@proto/ingress/event-log';

/** The row of a stream, as this node knows it. A statement with an outdated version writes nothing. */
export interface StreamState {
  readonly id: number;
  readonly version: number;
  /** The oldest event that is kept, or `last + 1`. */
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly documentBytes: number;
  readonly writtenAt: number;
  /** The time of the oldest event; null if the stream has no events. */
  readonly oldestAt: number | null;
}

/** The part of a kept event's row that retention needs. */
export interface KeptEvent {
  readonly sequence: number;
  readonly bytes: number;
  readonly createdAt: number;
}

/** The facts that were read from the database for one decision. They are valid until the version of the stream changes. */
export interface StreamFacts {
  readonly state: StreamState;
  /** Whether all of the following members were read. Otherwise, only `state` is known, from an earlier write. */
  readonly isRead: boolean;
  /** The ids in the writes that are already stored. */
  readonly known: ReadonlyMap<string, KnownEvent>;
  /** The bytes of the documents that the writes replace. */
  readonly documents: ReadonlyMap<string, number>;
  /** A limited number of the oldest events. */
  readonly oldest: readonly KeptEvent[];
  readonly epoch: number | undefined;
}

/** The facts for a stream that this node has written to before. */
export function remembered(state: StreamState): StreamFacts {
  return { state, isRead: false, known: new Map(), documents: new Map(), oldest: [], epoch: undefined };
}

const MAX_REMEMBERED_STREAMS = 10_000;

/** The streams to which this node wrote most recently. */
export class RememberedStreams {
  readonly #states = new Map<string, StreamState>();

  get(name: string): StreamState | undefined {
    return this.#states.get(name);
  }

  set(name: string, state: StreamState): void {
    // A map keeps its insertion order, so the first stream is the one that was written to longest ago.
    this.#states.delete(name);
    this.#states.set(name, state);
    if (this.#states.size > MAX_REMEMBERED_STREAMS) this.#states.delete(this.#states.keys().next().value as string);
  }

  delete(name: string): void {
    this.#states.delete(name);
  }
}

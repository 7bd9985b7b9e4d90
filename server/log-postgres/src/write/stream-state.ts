import type { KnownEvent } from '@proto/ingress/event-log';

/** The row of a stream, as far as this node knows it. A statement with an old version writes nothing. */
export interface StreamState {
  readonly id: number;
  readonly version: number;
  /** The oldest event that is kept, or `last + 1`. */
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly documentBytes: number;
  readonly writtenAt: number;
  /** The time of the oldest event; null without events. */
  readonly oldestAt: number | null;
}

/** A row of an event that is kept, as retention needs it. */
export interface KeptEvent {
  readonly sequence: number;
  readonly bytes: number;
  readonly createdAt: number;
}

/** What was read from the database for one decision. Holds as long as the version of the stream. */
export interface StreamFacts {
  readonly state: StreamState;
  /** Whether everything below was read; otherwise only `state` is known, from an earlier write. */
  readonly isRead: boolean;
  /** The ids of the writes that are stored already. */
  readonly known: ReadonlyMap<string, KnownEvent>;
  /** The bytes of the documents that the writes replace. */
  readonly documents: ReadonlyMap<string, number>;
  /** The oldest events, a limited number of them. */
  readonly oldest: readonly KeptEvent[];
  readonly epoch: number | undefined;
}

/** The facts for a stream that this node has written to before. */
export function remembered(state: StreamState): StreamFacts {
  return { state, isRead: false, known: new Map(), documents: new Map(), oldest: [], epoch: undefined };
}

const MAX_REMEMBERED_STREAMS = 10_000;

/** The streams that this node has written to last. */
export class RememberedStreams {
  readonly #states = new Map<string, StreamState>();

  get(name: string): StreamState | undefined {
    return this.#states.get(name);
  }

  set(name: string, state: StreamState): void {
    // The map keeps the order in which they were set, so its first one is the one that was written to longest ago.
    this.#states.delete(name);
    this.#states.set(name, state);
    if (this.#states.size > MAX_REMEMBERED_STREAMS) this.#states.delete(this.#states.keys().next().value as string);
  }

  delete(name: string): void {
    this.#states.delete(name);
  }
}

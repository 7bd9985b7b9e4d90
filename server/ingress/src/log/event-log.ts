/**
 * The store of an ingress: append-only streams of events with dense sequence numbers, and small documents that belong to them. A store keeps what it
 * has acknowledged. Rights and live readers are the task of the sessions above it. `testEventLog` of `@proto/ingress/vitest` has a case for each
 * promise in this file.
 */
import { findError } from '@proto/core/transport';

/** One event to store. */
export interface NewEvent {
  /** Unique in its stream. {@link EventLog.append} says what happens to a second event under the same id. */
  readonly id: string;
  /** The type of the message, such as `user` or `control_request`. */
  readonly type: string;
  /** The producer, as the server knows it. */
  readonly source: string;
  /** The message as JSON text, which is returned unchanged. */
  readonly payload: string;
  /** Facts that the server knows in addition to the payload, as JSON text. */
  readonly attributes?: string | undefined;
  /**
   * The sender, such as `worker` or `client:alice`. A second event of the same owner under an id is a duplicate. Events without an owner count as
   * events of one owner.
   */
  readonly owner?: string | undefined;
  /** The topic that an echo by another owner must name to count as the same event, such as `user`. Kept as long as the id. */
  readonly topic?: string | undefined;
  /** Makes this event a duplicate of another owner's event with the same id and this topic: it is an echo of that event. Not stored. */
  readonly echoes?: string | undefined;
  /**
   * The id for the event if its own id belongs to an event of another owner. Without a spare id such an event is `taken` and not stored.
   */
  readonly spareId?: string | undefined;
}

/** One event of a stream. */
export interface StoredEvent extends Omit<NewEvent, 'echoes' | 'spareId'> {
  /** The place in the stream: dense, from 1, never used twice as long as the stream is kept. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The result for one event of an append. */
export interface Appended {
  /** The id of the stored event: its own, or its `spareId`. */
  readonly id: string;
  /** The place of the event with that id: of this event, or of the earlier event. */
  readonly sequence: number;
  /** When that event was stored, in milliseconds since 1970. */
  readonly createdAt: number;
  /** True if the same event was already stored: nothing was added. */
  readonly duplicate: boolean;
  /** True if the id belongs to an event of another owner: this event was not stored. `duplicate` is false then. */
  readonly taken?: true | undefined;
}

/**
 * What must hold at the moment of a write. The store checks it together with the write, so that no other write comes in between. A write whose
 * condition does not hold rejects, and nothing of it is stored.
 */
export interface WriteCondition {
  /**
   * The last sequence number of the stream, as the writer knows it. Otherwise the write rejects as `conflict`: read on, decide again. A repeat of an
   * append that was stored is a `conflict` too, because the stream has moved on by its events.
   */
  readonly after?: number | undefined;
  /**
   * The epoch of the writer's claim. Rejects as `fenced` from the moment another node has taken the claim, or it was released, or `expire` has
   * forgotten it: stop writing. A claim that has run out and that no other node has taken still holds. Checked before `after`.
   */
  readonly epoch?: number | undefined;
}

/** The result of a claim: the epoch of the node that made it, or the other node that has the stream. */
export type Claimed =
  | { readonly epoch: number; readonly heldBy?: undefined; readonly heldForMs?: undefined }
  | {
      readonly epoch?: undefined;
      /** The node that has the stream. */
      readonly heldBy: string;
      /** The milliseconds until the claim of that node runs out, unless it is renewed. A duration, because clocks of nodes differ. */
      readonly heldForMs: number;
    };

/** The facts that a store keeps about an id. */
export interface KnownEvent {
  /** The sequence number of the event in its stream, from 1. */
  readonly sequence: number;
  /** When the event was stored, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The `owner` of the event as it was appended; absent if it had none. */
  readonly owner?: string;
  /** The `topic` of the event as it was appended; absent if it had none. */
  readonly topic?: string;
}

/** The size of a store. */
export interface Usage {
  /** The number of streams, without parts of a stream (`NAME/PART`) and without streams of the server (`@NAME`). */
  readonly streams: number;
  /** The bytes of all payloads and documents. */
  readonly bytes: number;
}

/** Which streams `listStreams` returns. */
export interface StreamsQuery {
  /** The name of a stream: only streams that were created before this one. For an unknown name, no stream is returned. Default: from the newest. */
  readonly before?: string | undefined;
  /** The most names. */
  readonly limit: number;
}

/** The limits of one read, which returns at least one event if there is one. */
export interface ReadLimits {
  /** The most events. Default 500. */
  readonly maxEvents?: number;
  /** The most bytes of payloads. Default 4 MiB. */
  readonly maxBytes?: number;
}

/** Events after a cursor, in order. */
export interface EventPage {
  /** The events after the cursor, in the order of their sequence numbers; empty at the end of the stream. */
  readonly events: readonly StoredEvent[];
  /**
   * The places after the cursor whose events the store no longer has, both ends included; absent if none are missing. Retention drops the oldest
   * events. In a page without events these are all places up to `last`, so that a reader always advances.
   */
  readonly missing?: { readonly from: number; readonly to: number } | undefined;
  /** The highest sequence number that the stream ever had; 0 for a stream without any write. */
  readonly last: number;
}

/** How long and how much a store keeps of each stream. */
export interface Retention {
  /**
   * The longest age, in milliseconds. Older events are dropped, and so is a stream whose last write is older. An id stays known for this long, even if
   * `maxBytes` has dropped its event.
   */
  readonly maxAgeMs: number;
  /** The most bytes of payloads in one stream. The oldest events are dropped first. The newest event stays, whatever its size. */
  readonly maxBytes: number;
}

/** The defaults of the options of a store: sizes in bytes, times in milliseconds. */
export const eventLogDefaults = {
  /** Seven days. */
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
  /** 256 MiB. */
  maxBytes: 256 * 1024 * 1024,
  /** 16 GiB. */
  maxTotalBytes: 16 * 1024 * 1024 * 1024,
} as const;

/** The options of every store. */
export interface EventLogOptions extends Partial<Retention> {
  /**
   * The most bytes of all payloads and documents together. A write that would exceed this limit rejects as `full`. What expires makes room again.
   * Default 16 GiB.
   */
  readonly maxTotalBytes?: number;
  /** The clock of the store, in milliseconds since 1970: for ages, and for claims. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * A store of streams. A stream exists from its first write on. Every rejection is an `EventLogError`.
 *
 * Several nodes may each have an `EventLog` on the same store: what one has acknowledged, all of them read. If two nodes must not both write,
 * each claims the stream, and passes the epoch of its claim with every write.
 */
export interface EventLog extends AsyncDisposable {
  /**
   * The name of this state of the store: up to 64 letters, digits, `-` and `_`. It stays until a backup is restored. The restored store gets another
   * name, because the events after the backup are lost and their sequence numbers are given to other events.
   */
  readonly identity: string;
  /**
   * The last sequence number up to which a stream has the same events as under that identity: `Infinity` for the present identity, 0 for an identity
   * that this store never had.
   */
  commonWith(stream: string, identity: string): Promise<number>;
  /**
   * Adds events in order, all or none, and settles when they are durable. Calls keep their order, awaited or not. Nothing of a rejected append is
   * stored.
   *
   * A known id is not stored again. The event is a duplicate if the known event has the same owner, or a topic that the event `echoes`. Otherwise the
   * same rule applies to its `spareId`: the event is stored under an unknown spare id. Without a spare id, or if the spare id belongs to another
   * owner too, the event is `taken` and not stored.
   *
   * An append without a condition depends on nothing: it is stored whoever has claimed the stream.
   */
  append(stream: string, events: readonly NewEvent[], condition?: WriteCondition): Promise<readonly Appended[]>;
  /**
   * Reads the events with a sequence number greater than `after`, including every acknowledged event. A damaged event is left out.
   */
  read(stream: string, after: number, limits?: ReadLimits): Promise<EventPage>;
  /** Finds an id, also if `maxBytes` has dropped its event; undefined for an unknown id. */
  find(stream: string, id: string): Promise<KnownEvent | undefined>;
  /** Reads the newest text of a document; undefined if the stream has no document of this name. */
  readDocument(stream: string, name: string): Promise<string | undefined>;
  /** Replaces a document, and settles when the document is durable. Keeps its order with the other writes, and has the same conditions. */
  writeDocument(stream: string, name: string, text: string, condition?: WriteCondition): Promise<void>;
  /**
   * Yields hints that a stream has grown: a sequence number above `after` that the stream has reached, at once if it has already reached one, and
   * another soon after each append of any node. A reader that reads after each hint misses nothing. A hint is not an event: it may stand for several
   * appends, and may be repeated. Ends when the signal aborts or this log is closed. If it rejects, begin again at the cursor.
   */
  tail(stream: string, after: number, signal: AbortSignal): AsyncIterable<number>;
  /**
   * Claims a stream and its parts (`NAME/PART`) for a node. Claiming again renews: the epoch stays. While the claim lives, every other node gets
   * `heldBy`. When it has run out, the first other node to claim takes it, and from then on the writes of the previous node are fenced.
   *
   * Epochs grow with each change of the node, and the store never gives one twice. Lifetimes are measured by the clock of the store alone. A claim
   * does not write to the stream, and does not create it.
   * @param node names one run of a node. A node that restarts takes a new name, because writes of its former run may still be under way.
   */
  claim(stream: string, node: string, ttlMs: number): Promise<Claimed>;
  /**
   * Gives up the claim with this epoch, so that another node need not wait for its end. Writes under the epoch are fenced from then on. Does nothing
   * if that claim is lost already.
   */
  release(stream: string, epoch: number): Promise<void>;
  /** Drops what is too old in every stream, and claims that ran out that long ago. An append drops what is too old in its own stream. */
  expire(): Promise<void>;
  /** The names of streams, the newest first, without parts of a stream (`NAME/PART`) and without streams of the server (`@NAME`). */
  listStreams(query: StreamsQuery): Promise<readonly string[]>;
  /** The size of the store. The cost of this call does not grow with the size. */
  usage(): Promise<Usage>;
  /** Settles when all earlier writes are durable and everything is released. Later calls reject as `closed`. */
  close(): Promise<void>;
}

/**
 * The errors of a store:
 * - `conflict`: the stream has moved on · `fenced`: the claim is lost; see {@link WriteCondition}
 * - `full`: no space on the disk, or above `maxTotalBytes`; nothing of the write was stored · `failed`: the store cannot be read or written
 * - `in-use`: another server has the store open · `read-only`: the store was opened for reading only · `closed`: the store was closed
 * - `version`: another version of this package wrote the file · `not-installed`: the library of the store is missing
 */
export type EventLogErrorCode =
  | 'conflict'
  | 'fenced'
  | 'full'
  | 'failed'
  | 'in-use'
  | 'read-only'
  | 'closed'
  | 'version'
  | 'not-installed';

const BRAND = Symbol.for('@proto/ingress.EventLogError');

/** An operation of a store failed. Match on `code`, never on `message`. */
export class EventLogError extends Error {
  /** What went wrong, for programs. */
  readonly code: EventLogErrorCode;

  constructor(code: EventLogErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'EventLogError';
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for an `EventLogError` of any copy of this package. */
  static is(value: unknown): value is EventLogError {
    return Object.hasOwn(Object(value), BRAND);
  }

  /** Returns the given error, or the first of its causes, that is an `EventLogError`. Looks at 100 causes at most. */
  static find(error: unknown): EventLogError | undefined {
    return findError(error, EventLogError.is);
  }
}

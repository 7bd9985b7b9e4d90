/**
 * The store of an ingress: append-only streams of events with dense sequence numbers, and small documents that belong to them. A store keeps what it
 * has acknowledged. Access rights and live readers are handled by the sessions, not by the store. `testEventLog` of `@proto/ingress/vitest` has a
 * case for each promise in this file.
 */
import { findError } from '@proto/core/transport';

/** One event to store. */
export interface NewEvent {
  /** The id of the event, unique in its stream. {@link EventLog.append} describes what happens to a second event with the same id. */
  readonly id: string;
  /** The type of the event's message, such as `user` or `control_request`. */
  readonly type: string;
  /** The producer of the event, as determined by the server. */
  readonly source: string;
  /** The event's message as JSON text, which is returned unchanged. */
  readonly payload: string;
  /** Facts that the server knows in addition to the payload, as JSON text. */
  readonly attributes?: string | undefined;
  /**
   * The sender, such as `worker` or `client:alice`. A second event with the same id and owner is a duplicate. All events without an owner count as
   * having the same owner.
   */
  readonly owner?: string | undefined;
  /** The topic, such as `user`. An echo by another owner must name this topic to count as the same event. Kept as long as the id. */
  readonly topic?: string | undefined;
  /** Makes this event an echo, and so a duplicate, of another owner's event that has the same id and this topic. `echoes` itself is not stored. */
  readonly echoes?: string | undefined;
  /**
   * The id to use if the event's own id belongs to an event of another owner. Without a spare id, such an event is reported as `taken` and not
   * stored.
   */
  readonly spareId?: string | undefined;
}

/** One event of a stream. */
export interface StoredEvent extends Omit<NewEvent, 'echoes' | 'spareId'> {
  /** The position in the stream. Positions start at 1, have no gaps, and are never reused while the stream is kept. */
  readonly sequence: number;
  /** When the event was stored, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** The result for one event of an append. */
export interface Appended {
  /** The id of the stored event: the event's own id, or its `spareId`. */
  readonly id: string;
  /** The position of the event with that id, which may be an earlier event. */
  readonly sequence: number;
  /** When the event with that id was stored, in milliseconds since 1970. */
  readonly createdAt: number;
  /** True if the same event was already stored, so that nothing was added. */
  readonly duplicate: boolean;
  /** True if the id belongs to an event of another owner: this event was then not stored, and `duplicate` is false. */
  readonly taken?: true | undefined;
}

/**
 * What must be true at the moment of a write. The store checks the condition together with the write, so that no other write can happen in between.
 * If the condition is not met, the write rejects and stores nothing.
 */
export interface WriteCondition {
  /**
   * The last sequence number of the stream, as the writer knows it. If the number in the store is different, the write rejects as `conflict`: read
   * the new events and decide again. If an append was stored and is repeated, the repetition is also a `conflict`, because the stored events have
   * advanced the stream.
   */
  readonly after?: number | undefined;
  /**
   * The epoch of the writer's claim. The write rejects as `fenced` if another node has taken the claim, the claim was released, or `expire` has
   * removed the claim. Stop writing in this case. An expired claim that no other node has taken is still valid. This condition is checked before
   * `after`.
   */
  readonly epoch?: number | undefined;
}

/** The result of a claim: the epoch of the node that made the claim, or the other node that owns the stream. */
export type Claimed =
  | { readonly epoch: number; readonly heldBy?: undefined; readonly heldForMs?: undefined }
  | {
      readonly epoch?: undefined;
      /** The node that owns the stream. */
      readonly heldBy: string;
      /** The milliseconds until that node's claim expires, unless it is renewed. The value is a duration, because the nodes' clocks differ. */
      readonly heldForMs: number;
    };

/** The facts that a store keeps about an id. */
export interface KnownEvent {
  /** The sequence number of the event in its stream, from 1. */
  readonly sequence: number;
  /** When the event was stored, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The `owner` with which the event was appended; absent if the event had no owner. */
  readonly owner?: string;
  /** The `topic` with which the event was appended; absent if the event had no topic. */
  readonly topic?: string;
}

/** The size of a store. */
export interface Usage {
  /** The number of streams, not counting parts of a stream (`NAME/PART`) and streams of the server (`@NAME`). */
  readonly streams: number;
  /** The bytes of all payloads and documents. */
  readonly bytes: number;
}

/** Which streams `listStreams` returns. */
export interface StreamsQuery {
  /**
   * The name of a stream: only streams that were created before it are returned. For an unknown name, no stream is returned. Default: from the
   * newest.
   */
  readonly before?: string | undefined;
  /** The maximum number of names. */
  readonly limit: number;
}

/** The limits of one read, which returns at least one event if there is one. */
export interface ReadLimits {
  /** The maximum number of events. Default 500. */
  readonly maxEvents?: number;
  /** The maximum number of bytes of payloads. Default 4 MiB. */
  readonly maxBytes?: number;
}

/** A page of events after a cursor, in order. */
export interface EventPage {
  /** The events after the cursor, in the order of their sequence numbers; empty at the end of the stream. */
  readonly events: readonly StoredEvent[];
  /**
   * The range of positions after the cursor whose events the store no longer has, both ends included; absent if no event is missing. Retention drops
   * the oldest events. In a page without events, the range covers all positions up to `last`, so that a reader always advances.
   */
  readonly missing?: { readonly from: number; readonly to: number } | undefined;
  /** The highest sequence number that the stream has ever had; 0 for a stream that was never written to. */
  readonly last: number;
}

/** How much of each stream a store keeps, and for how long. */
export interface Retention {
  /**
   * The maximum age, in milliseconds. Older events are dropped, and so is a stream whose last write is older. The store remembers an id for this
   * long, even if `maxBytes` has dropped its event.
   */
  readonly maxAgeMs: number;
  /** The maximum number of bytes of payloads in one stream. The oldest events are dropped first. The newest event stays, whatever its size. */
  readonly maxBytes: number;
}

/** The defaults of the options of a store: sizes in bytes, times in milliseconds. */
export const eventLogDefaults = {
  /** How long events are kept: seven days. */
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
  /** The maximum size of a stream: 256 MiB. */
  maxBytes: 256 * 1024 * 1024,
  /** The maximum size of all streams together: 16 GiB. */
  maxTotalBytes: 16 * 1024 * 1024 * 1024,
} as const;

/** The options of every store. */
export interface EventLogOptions extends Partial<Retention> {
  /**
   * The maximum number of bytes of all payloads and documents together. A write that would exceed this limit rejects as `full`. Expiring events make
   * room again. Default 16 GiB.
   */
  readonly maxTotalBytes?: number;
  /** The clock of the store, in milliseconds since 1970: used for ages and claims. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * A store of streams. A stream exists after its first write. Every rejection is an `EventLogError`.
 *
 * Several nodes may each have an `EventLog` on the same store: an event acknowledged by one can be read by all of them. If only one node at a time
 * may write, a node must first claim the stream, and then pass the epoch of its claim with every write.
 */
export interface EventLog extends AsyncDisposable {
  /**
   * The name of this state of the store: up to 64 letters, digits, `-` and `_`. The name stays the same until a backup is restored. The restored
   * store gets another name, because the events after the backup are lost and their sequence numbers will be reused for other events.
   */
  readonly identity: string;
  /**
   * Returns the last sequence number up to which a stream has the same events as it had under the given identity of the store. The number is
   * `Infinity` for the present identity, and 0 for an identity that this store never had.
   */
  commonWith(stream: string, identity: string): Promise<number>;
  /**
   * Adds either all of the events, in order, or none, and settles when they are durable. Calls keep their order, whether or not you await them.
   * Nothing of a rejected append is stored.
   *
   * An event with a known id is not stored again under that id. It is a duplicate if the known event has the same owner, or has the topic that the
   * event `echoes`. Otherwise, the same rule applies to the event's `spareId`: if the spare id is unknown, the event is stored under the spare id.
   * Without a spare id, or if the spare id belongs to another owner too, the event is `taken` and not stored.
   *
   * An append without a condition is stored no matter who has claimed the stream.
   */
  append(stream: string, events: readonly NewEvent[], condition?: WriteCondition): Promise<readonly Appended[]>;
  /**
   * Reads the events with a sequence number greater than `after`, including every acknowledged event. A damaged event is left out.
   */
  read(stream: string, after: number, limits?: ReadLimits): Promise<EventPage>;
  /** Finds the facts about an id, even if its event was dropped because of `maxBytes`. Returns undefined for an unknown id. */
  find(stream: string, id: string): Promise<KnownEvent | undefined>;
  /** Reads the newest text of a document; undefined if the stream has no document with this name. */
  readDocument(stream: string, name: string): Promise<string | undefined>;
  /**
   * Replaces a document, and settles when the document is durable. The order relative to other writes is kept. `condition` has the same meaning as
   * for `append`.
   */
  writeDocument(stream: string, name: string, text: string, condition?: WriteCondition): Promise<void>;
  /**
   * Yields hints that a stream has grown. A hint is a sequence number above `after` that the stream has reached. The first hint is yielded
   * immediately if the stream has already grown past `after`. Another hint follows soon after each append by any node. A reader that reads after each
   * hint misses nothing. A hint is not an event: one hint may cover several appends, and a hint may be repeated. The iteration ends when the signal
   * aborts or this log is closed. If the iteration rejects, start it again at the cursor.
   */
  tail(stream: string, after: number, signal: AbortSignal): AsyncIterable<number>;
  /**
   * Claims a stream and its parts (`NAME/PART`) for a node. Claiming again renews the claim and keeps its epoch. While the claim is valid, every
   * other node gets `heldBy`. After the claim has expired, the first other node to claim the stream gets it, and from then on the previous node's
   * writes are fenced.
   *
   * The epoch increases with each change of node, and the store never gives the same epoch twice. Lifetimes are measured only by the clock of the
   * store. A claim does not write to the stream, and does not create it.
   * @param node the name of one run of a node. A node that restarts must use a new name, because writes of its former run may still be in progress.
   */
  claim(stream: string, node: string, ttlMs: number): Promise<Claimed>;
  /**
   * Gives up the claim with this epoch, so that another node does not have to wait until it expires. Writes under the epoch are fenced from then on.
   * Does nothing if that claim has already been lost.
   */
  release(stream: string, epoch: number): Promise<void>;
  /**
   * Drops everything that is older than `maxAgeMs` from every stream, and the claims that expired longer ago than `maxAgeMs`. An append drops old
   * events from its own stream only.
   */
  expire(): Promise<void>;
  /** Returns the names of streams, newest first. Parts of a stream (`NAME/PART`) and streams of the server (`@NAME`) are left out. */
  listStreams(query: StreamsQuery): Promise<readonly string[]>;
  /** The size of the store. The cost of this call does not grow with the size. */
  usage(): Promise<Usage>;
  /** Settles when all earlier writes are durable and everything is released. Later calls reject as `closed`. */
  close(): Promise<void>;
}

/**
 * The errors of a store:
 * - `conflict`: the stream has new events · `fenced`: the claim is lost; see {@link WriteCondition}
 * - `full`: no space on the disk, or the write would exceed `maxTotalBytes` (no part of the write was stored) · `failed`: the store cannot be read or
 *   written
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

  /** True for an `EventLogError` from any copy of this package. */
  static is(value: unknown): value is EventLogError {
    return Object.hasOwn(Object(value), BRAND);
  }

  /** Returns the given error, or the first of its causes, that is an `EventLogError`. Looks at 100 causes at most. */
  static find(error: unknown): EventLogError | undefined {
    return findError(error, EventLogError.is);
  }
}

/**
 * The storage seam of the ingress: append-only streams of events with dense sequence numbers, and small documents beside them.
 * A store keeps what it acknowledged; everything else (who may write, who reads live) is the business of the sessions above it.
 * `testEventLog` of `@proto/ingress/vitest` has a case for each promise made here.
 */

/** One event to be kept. */
export interface NewEvent {
  /** Unique in its stream. What becomes of a second event under the same id says {@link EventLog.append}. */
  readonly id: string;
  readonly type: string;
  /** Who produced it, as the server knows it. */
  readonly source: string;
  /** The message as JSON text; handed back as it was given. */
  readonly payload: string;
  /** What the server knows beside the payload, as JSON text. */
  readonly attributes?: string | undefined;
  /**
   * Who sent it, such as `worker` or `client:alice`. The same owner's second event under an id is a duplicate; events without an owner
   * count as events of one owner.
   */
  readonly owner?: string | undefined;
  /** What an echo of it by another owner must name to count as the same event, such as `user`. Kept as long as the id is. */
  readonly topic?: string | undefined;
  /** The topic of another owner's event of which this one may be the echo: under the id of such an event it is a duplicate. Not kept. */
  readonly echoes?: string | undefined;
  /**
   * The id under which the event is kept where its own id belongs to somebody else's event. Without a spare id such an event is not kept,
   * and `taken`. Not kept itself.
   */
  readonly spareId?: string | undefined;
}

/** One event as it is kept. */
export interface StoredEvent extends Omit<NewEvent, 'echoes' | 'spareId'> {
  /** Its place in the stream: dense, from 1, never used twice as long as the stream is kept. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What became of one event of an append. */
export interface Appended {
  /** The id under which the event is kept: its own, or its `spareId`. */
  readonly id: string;
  /** The place of the event that has the id: of this one, or of the one that had the id before. */
  readonly sequence: number;
  /** Of that event; milliseconds since 1970. */
  readonly createdAt: number;
  /** True where the id already belongs to the same event: nothing was added. */
  readonly duplicate: boolean;
  /** True where the id is another owner's: nothing of this event was kept. `duplicate` is false then. */
  readonly taken?: true | undefined;
}

/** What is known of an id. */
export interface KnownEvent {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly owner?: string;
  readonly topic?: string;
}

/** How much a store has. */
export interface Usage {
  /** Streams, without parts of a stream (`NAME/PART`) and without those of the server itself (`@NAME`). */
  readonly streams: number;
  /** Of all payloads that are kept, and of all documents. */
  readonly bytes: number;
}

/** How much one read may give. At least one event is given where there is one, however large it is. */
export interface ReadLimits {
  readonly maxEvents?: number;
  /** Of payloads, in bytes. */
  readonly maxBytes?: number;
}

/** Some events after a cursor, in order. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  /**
   * Events after the cursor that the store does not have any more, both ends included; absent where none are missing. Retention drops the
   * oldest. A page without events names here whatever lies between the cursor and `last`, so a reader always gets on.
   */
  readonly missing?: { readonly from: number; readonly to: number } | undefined;
  /** The highest sequence number the stream ever gave out; 0 for a stream nobody wrote to. */
  readonly last: number;
}

/** How long and how much a store keeps of each stream. */
export interface Retention {
  /**
   * Events older than this are dropped, and so is a stream that nothing was written to for that long. An id is known for this
   * long, even where `maxBytes` has dropped its event.
   */
  readonly maxAgeMs: number;
  /** Of payloads, per stream; the oldest are dropped first. The newest event stays, whatever its size. */
  readonly maxBytes: number;
}

/** How long and how much a store keeps where its options leave that out: sizes in bytes, times in milliseconds. */
export const eventLogDefaults = {
  /** Seven days. */
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
  /** 256 MiB. */
  maxBytes: 256 * 1024 * 1024,
  /** 16 GiB. */
  maxTotalBytes: 16 * 1024 * 1024 * 1024,
} as const;

/** What every store can be told. */
export interface EventLogOptions extends Partial<Retention> {
  /**
   * Of the payloads and documents of all streams together. A write that would make the store larger than this is rejected as `full`; what
   * expires makes room again. Default 16 GiB.
   */
  readonly maxTotalBytes?: number;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** A store of streams. A stream comes into being with the first write to it. Every rejection is an `EventLogError`. */
export interface EventLog extends AsyncDisposable {
  /**
   * Adds events in order, all or none, and settles when they are durable. Calls keep their order, awaited or not. Nothing of a
   * rejected append is kept.
   *
   * An id that is known is not stored again. The event is a duplicate where it has the same owner as the known one, or where it
   * `echoes` the topic of the known one. Else the same is asked for its `spareId`, under which the event is stored where that is
   * unknown; without a spare id, or where the spare id is somebody else's too, the event is `taken` and nothing of it is kept.
   */
  append(stream: string, events: readonly NewEvent[]): Promise<readonly Appended[]>;
  /**
   * Reads the events with a sequence number strictly greater than `after`. What an append has acknowledged is seen. An event that the
   * store cannot give any more, because somebody damaged it, is passed over.
   */
  read(stream: string, after: number, limits?: ReadLimits): Promise<EventPage>;
  /** What is known of an id, also where its event was dropped for its bytes; undefined for an id that is unknown. */
  find(stream: string, id: string): Promise<KnownEvent | undefined>;
  readDocument(stream: string, name: string): Promise<string | undefined>;
  /** Replaces a document, and settles when that is durable. Keeps its order with the other writes. */
  writeDocument(stream: string, name: string, text: string): Promise<void>;
  /** Drops what is too old, of every stream. An append does this for its own stream. */
  expire(): Promise<void>;
  /** How much there is. The cost does not grow with what is kept. */
  usage(): Promise<Usage>;
  /** Settles when what was handed over before is durable and everything is released; later calls reject with `closed`. */
  close(): Promise<void>;
}

/**
 * What can go wrong with a store:
 * - `full`: no room left, on the disk or below `maxTotalBytes`; nothing of the write was kept · `failed`: the store cannot be read or written
 * - `in-use`: another server has it open · `read-only`: it was opened for reading only · `closed`: used after its end
 * - `version`: the file was written by another version of this package · `not-installed`: the library of the store is missing
 */
export type EventLogErrorCode = 'full' | 'failed' | 'in-use' | 'read-only' | 'closed' | 'version' | 'not-installed';

const BRAND = Symbol.for('@proto/ingress.EventLogError');

/** A store could not do what it was asked. Match on `code`, never on `message`. */
export class EventLogError extends Error {
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
}

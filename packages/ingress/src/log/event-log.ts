/**
 * The storage seam of the ingress: append-only streams of events with dense sequence numbers, and small documents beside them.
 * A store keeps what it acknowledged; everything else (who may write, who reads live) is the business of the sessions above it.
 * `testEventLog` of `@proto/ingress/vitest` has a case for each promise made here.
 */

/** One event to be kept. */
export interface NewEvent {
  /** Unique in its stream: a second append under the same id changes nothing. */
  readonly id: string;
  readonly type: string;
  /** Who produced it, as the server knows it. */
  readonly source: string;
  /** The message as JSON text; handed back as it was given. */
  readonly payload: string;
  /** What the server knows beside the payload, as JSON text. */
  readonly attributes?: string | undefined;
}

/** One event as it is kept. */
export interface StoredEvent extends NewEvent {
  /** Its place in the stream: dense, from 1, never used twice as long as the stream is kept. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What became of one event of an append. */
export interface Appended {
  readonly id: string;
  /** The place of the event, or of the one that had its id before. */
  readonly sequence: number;
  /** Of that event; milliseconds since 1970. */
  readonly createdAt: number;
  readonly duplicate: boolean;
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
  /** Events after the cursor that retention has dropped, both ends included; absent where none are missing. */
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

/** Seven days. */
export const DEFAULT_MAX_EVENT_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** 256 MiB. */
export const DEFAULT_MAX_STREAM_BYTES = 256 * 1024 * 1024;

/** What every store can be told. */
export interface EventLogOptions extends Partial<Retention> {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** A store of streams. A stream comes into being with the first write to it. Every rejection is an `EventLogError`. */
export interface EventLog extends AsyncDisposable {
  /**
   * Adds events in order, all or none, and settles when they are durable. Calls keep their order, awaited or not. Nothing of a
   * rejected append is kept.
   */
  append(stream: string, events: readonly NewEvent[]): Promise<readonly Appended[]>;
  /** Reads the events with a sequence number strictly greater than `after`. What an append has acknowledged is seen. */
  read(stream: string, after: number, limits?: ReadLimits): Promise<EventPage>;
  readDocument(stream: string, name: string): Promise<string | undefined>;
  /** Replaces a document, and settles when that is durable. Keeps its order with the other writes. */
  writeDocument(stream: string, name: string, text: string): Promise<void>;
  /** Drops what is too old, of every stream. An append does this for its own stream. */
  expire(): Promise<void>;
  /** Settles when what was handed over before is durable and everything is released; later calls reject with `closed`. */
  close(): Promise<void>;
}

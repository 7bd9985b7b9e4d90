/**
 * The transport contract: the interface that a session needs from a medium, and the interface that a transport author implements. This module
 * contains only types.
 *
 * A transport carries encoded text, in batches. A message is encoded once, when it is queued, and parsed once, when it is read. A transport does not
 * know any message type. docs/transports.md lists the twelve points of the contract, and `testTransport` of `@proto/testkit/vitest` has test cases
 * for each point. Members that only some transports have are declared in `transport-extensions.ts`, each with a guard.
 */
import type { MalformedReason, WireMessage } from '../framing/json-line.ts';
import type { TransportError } from './error.ts';

/** A place in the peer's messages. A cursor may be stored, but only the transport that created it understands it. */
export type Cursor = string;

/** One outgoing message. */
export interface Outgoing {
  /** The message as JSON, without a line end. */
  readonly text: string;
  /** The id under which the message is sent. Present if `hasMessageIds` of the transport is `true`. */
  readonly id: string | undefined;
  /** True for a message that may be lost without harm, such as an increment of a text that is sent whole later. */
  readonly ephemeral: boolean;
}

/** A batch of outgoing messages, in order. */
export interface Batch {
  /** How many messages the batch contains. */
  readonly count: number;
  /** All messages as one text, each followed by one LF, in the form that a byte medium writes. */
  readonly text: string;
  /**
   * Returns the messages one at a time, for a medium that writes a separate frame, event or body for each message. Each `Outgoing` is created only
   * when the iterator reaches it.
   */
  messages(): IterableIterator<Outgoing>;
}

/** One message that has arrived. */
export interface IncomingMessage {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'message';
  /** The line as it arrived, without its line end. A relay passes on this text and never parses it. */
  readonly text: string;
  /**
   * The id under which the message was sent. Undefined if the message has no id. On a medium that does not carry ids, the first access parses the
   * text.
   */
  readonly id: string | undefined;
  /** Parses the text on the first call. Never throws, and returns the same result each time. */
  read(): ReadResult;
  /** The place of the message. Absent on a transport that does not number the messages that it delivers. */
  readonly cursor?: Cursor;
  /** The client that sent the message, if a session has several clients. */
  readonly source?: string;
}

/** A message, or an error with the code `malformed` for a line that is not a message. */
export type ReadResult =
  | { readonly message: WireMessage; readonly error?: undefined; readonly reason?: undefined }
  | { readonly error: TransportError; readonly reason?: MalformedReason; readonly message?: undefined };

/**
 * A line or a frame that could not be delivered, such as a line that is too long or a bad frame. The item is delivered in order with the messages.
 */
export interface IncomingMalformed {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'malformed';
  /** A `TransportError` with the code `too-large` or `malformed`. */
  readonly error: TransportError;
  /** The beginning of the line or frame. */
  readonly excerpt: string;
}

/** A change in the connection of a transport that reconnects, delivered in order with the messages. */
export interface IncomingLink {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'link';
  /** The new state: `down` if the link was lost or an attempt failed, `up` if the transport is connected again. */
  readonly state: 'down' | 'up';
  /** The number of the attempt since the link was last up, counted from 1. */
  readonly attempt: number;
  /** Only for `up`: `false` if messages may be missing. */
  readonly resumed?: boolean;
  /** Only for `down`: why the link was lost, or why the attempt failed. */
  readonly cause?: TransportError;
}

/**
 * An event from the server about the session, delivered in order with the messages. `control_resolved`: a client has answered a request.
 * `delivery_update`: the state of a prompt has changed. `message_refused`: the server does not accept a message from this side. A session processes
 * the events that it knows.
 */
export interface IncomingNotice {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'notice';
  /** The name of the event. */
  readonly event: string;
  /** The data of the event: a parsed value if it is JSON, otherwise a string. */
  readonly data: unknown;
  /** The place of the event in the log. Absent for an event that is sent once and not kept. */
  readonly cursor?: Cursor;
}

/** An item that a transport passes to its reader: a message, a malformed line, a change of the link, or a notice from a server. */
export type Incoming = IncomingMessage | IncomingMalformed | IncomingLink | IncomingNotice;

/** Why a transport ended. A medium may add members, such as `process` of `spawnAgent`. */
export interface TransportClose {
  /** Whether this side, the other side, or the medium between them ended the transport. */
  readonly by: 'local' | 'peer' | 'link';
  /** The error that ended the transport. Absent only after a clean end. */
  readonly error?: TransportError;
  /** The exit code, close code or HTTP status, if the medium has such a number. */
  readonly status?: number;
}

/** The options of `send` and `flush`. */
export interface SendOptions {
  /** When this signal aborts, the call is given up, and its promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A connection to one peer. A factory creates a transport and returns at once. The transport starts without another call. */
export interface Transport extends AsyncDisposable {
  /** The kind of transport, such as `stdio` or `memory`. */
  readonly name: string;
  /** True if every message is sent under an id. */
  readonly hasMessageIds: boolean;
  /** Fulfils when the first link is up. Rejects with a `TransportError` if no link could be established. */
  readonly opened: Promise<void>;
  /** Fulfils after everything is released. Never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * The items that arrive, in order. Only one consumer may iterate them: a second iteration throws `TypeError`. If the peer ends cleanly, the
   * iteration ends. Otherwise, it throws a `TransportError` once. The consumer first receives the items that arrived before the end. Leaving the loop
   * closes the transport.
   */
  readonly incoming: AsyncIterable<readonly Incoming[]>;
  /**
   * Sends a batch. Settles when the transport has accepted the batch, which is then on the medium, or stored so that it can be sent again. The peer
   * may not have received the batch yet. The promise stays pending while the medium is slow, which is the only form of back pressure.
   */
  send(batch: Batch, options?: SendOptions): Promise<void>;
  /** Fulfils when all batches that were sent so far have left this process. */
  flush(options?: SendOptions): Promise<void>;
  /** Signals to the peer that nothing more will be sent. Receiving continues. */
  end(): Promise<void>;
  /**
   * Flushes, signals the end to the peer, and releases everything. Settles together with `closed`. The consumer still receives items that have
   * already arrived, but no later items.
   */
  close(): Promise<void>;
  /** Releases everything at once. Every pending promise rejects with a `TransportError` with the code `aborted` whose `cause` is the reason. */
  abort(reason?: unknown): void;
}

/**
 * The part of a transport that its author implements. `defineTransport` creates a transport from this part. No member is called before the factory
 * has returned.
 */
export interface TransportDriver {
  /** Writes a batch. Called for one batch at a time, in order, after `opened`. To create back pressure, settle the promise later. */
  write(batch: Batch): Promise<void> | void;
  /** Settles when everything that was written has left this process. Leave out this method if the promise of `write` already means that. */
  flush?(): Promise<void> | void;
  /** Ends the sending direction. Receiving continues. Leave out this method for a medium without a half-close. */
  end?(): Promise<void> | void;
  /**
   * Called when the caller closes the transport. `close` is called later, after everything is written. Implement `closing` if this wait must have a
   * time limit.
   */
  closing?(): void;
  /** Signals the end to the peer, releases everything, then calls `control.closed()`. May be called before `opened`. */
  close(): Promise<void> | void;
  /** Releases everything at once, then calls `control.closed()`. */
  abort(reason: TransportError): Promise<void> | void;
  /** Stops reading the medium, because the consumer is slow. */
  pause?(): void;
  /** Resumes reading the medium, because the consumer has room. */
  resume?(): void;
}

/** The functions with which a driver reports events of its medium. Calls after `closed` have no effect. */
export interface TransportControl {
  /** Call this when the first link is up. Waiting batches are then written. */
  opened(): void;
  /**
   * Call this when something has arrived. Do not change the array afterwards. An empty array means that something other than a whole message arrived,
   * such as part of a message or a keep-alive.
   */
  receive(items: readonly Incoming[]): void;
  /** Call this when nothing more will arrive. The other direction stays open. */
  ended(): void;
  /**
   * Call this when both directions have ended permanently and everything is released. Without an error, the end counts as clean. All details become
   * members of the value of `closed`.
   */
  closed(error?: TransportError, details?: Pick<TransportClose, 'status'>): void;
}

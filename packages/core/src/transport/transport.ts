/**
 * The transport contract: what a session needs from a medium, and what a transport author writes. Types only.
 *
 * A transport carries encoded text, in batches: a message is encoded once, when it is queued, and parsed once, when somebody reads it.
 * A transport knows no message type. docs/transports.md has the twelve points of the contract; `testTransport` of
 * `@proto/testkit/vitest` has a case for each. What only some transports have is in `transport-extensions.ts`, each
 * with a guard.
 */
import type { MalformedReason, WireMessage } from '../framing/json-line.ts';
import type { TransportError } from './error.ts';

/** A place in the messages of the peer. Only the transport that created a cursor understands it; a cursor may be stored. */
export type Cursor = string;

/** One message on its way out. */
export interface Outgoing {
  /** The message as JSON, without a line end. */
  readonly text: string;
  /** The id under which the message travels; present if `hasMessageIds` of the transport is true. */
  readonly id: string | undefined;
  /** True for a message that may be lost without harm, such as an increment of a text that arrives whole later. */
  readonly ephemeral: boolean;
}

/** Some messages on their way out, in order. */
export interface Batch {
  /** How many messages the batch has. */
  readonly count: number;
  /** All messages, each followed by one LF: what a byte medium writes. */
  readonly text: string;
  /** The messages one by one, cut on demand: for a medium that writes a frame, an event or a body for each message. */
  messages(): IterableIterator<Outgoing>;
}

/** One message that has arrived. */
export interface IncomingMessage {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'message';
  /** The line as it arrived, without its line end. A relay hands this text on and never parses it. */
  readonly text: string;
  /** The id under which the message travels; undefined without an id. For a medium that does not carry ids, the first access parses the text. */
  readonly id: string | undefined;
  /** Parses the text at the first call. Never throws, and returns the same result each time. */
  read(): ReadResult;
  /** The place of the message; absent on a transport that does not number what it delivers. */
  readonly cursor?: Cursor;
  /** The client that sent the message, where a session has several clients. */
  readonly source?: string;
}

/** A message; or the error, of code `malformed`, of a line that is not a message. */
export type ReadResult =
  | { readonly message: WireMessage; readonly error?: undefined; readonly reason?: undefined }
  | { readonly error: TransportError; readonly reason?: MalformedReason; readonly message?: undefined };

/** A line or a frame that framing could not deliver, in its place among the messages: a line that is too long, or a bad frame. */
export interface IncomingMalformed {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'malformed';
  /** A `TransportError` of code `too-large` or `malformed`. */
  readonly error: TransportError;
  /** The beginning of the line or frame. */
  readonly excerpt: string;
}

/** What happened to the connection under a transport that reconnects, in order with the messages. */
export interface IncomingLink {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'link';
  /** `down` after the link was lost or an attempt failed, `up` after the transport is connected again. */
  readonly state: 'down' | 'up';
  /** The number of the attempt since the link was last up, from 1. */
  readonly attempt: number;
  /** False on `up` when messages may be missing. */
  readonly resumed?: boolean;
  /** With `down`: why the link was lost, or why the attempt failed. */
  readonly cause?: TransportError;
}

/**
 * An event of the server about the session, in order with the messages: `control_resolved` says that a client has answered a request;
 * `delivery_update`, how far a prompt is; `message_refused`, that the server does not take a message of this side. A session acts on the
 * events that it knows.
 */
export interface IncomingNotice {
  /** Distinguishes the item from the other items of a transport. */
  readonly kind: 'notice';
  /** The name of the event. */
  readonly event: string;
  /** The data of the event: parsed where it is JSON, a text otherwise. */
  readonly data: unknown;
  /** The place of the event in the log; absent for an event that is sent once and not kept. */
  readonly cursor?: Cursor;
}

/** An item that a transport hands to its reader: a message, a malformed line, a change of the link, or a notice of a server. */
export type Incoming = IncomingMessage | IncomingMalformed | IncomingLink | IncomingNotice;

/** Why a transport ended. A medium may add members, such as `process` of `spawnAgent`. */
export interface TransportClose {
  /** Whether this side, the other side, or the medium between them ended the transport. */
  readonly by: 'local' | 'peer' | 'link';
  /** The error that ended the transport; absent after a clean end, and only then. */
  readonly error?: TransportError;
  /** Exit code, close code or HTTP status, where the medium has one. */
  readonly status?: number;
}

/** The options of `send` and `flush`. */
export interface SendOptions {
  /** Aborting gives the call up: the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A connection to one peer. A factory creates a transport and returns at once; the transport starts without another call. */
export interface Transport extends AsyncDisposable {
  /** The kind of transport, such as `stdio` or `memory`. */
  readonly name: string;
  /** True if every message travels under an id. */
  readonly hasMessageIds: boolean;
  /** Fulfils when the first link is up. Rejects with a `TransportError` when no link ever came up. */
  readonly opened: Promise<void>;
  /** Fulfils after everything is released. Never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * The items that arrive, in order, for one consumer: a second iteration throws `TypeError`. The iteration ends after a clean end of the
   * peer, and throws a `TransportError` once otherwise. Items that arrived before the end are handed out first. Leaving the loop closes the
   * transport.
   */
  readonly incoming: AsyncIterable<readonly Incoming[]>;
  /**
   * Sends a batch. Settles when the transport has taken charge of it: the batch is on the medium, or stored to be sent again. The peer may
   * not have it yet. The promise stays pending while the medium is slow: this is the only back pressure.
   */
  send(batch: Batch, options?: SendOptions): Promise<void>;
  /** Fulfils when all batches that were sent so far have left this process. */
  flush(options?: SendOptions): Promise<void>;
  /** Signals to the peer that nothing more will be sent. Receiving goes on. */
  end(): Promise<void>;
  /**
   * Flushes, signals the end to the peer, and releases everything. Settles with `closed`. Items that have arrived are still handed out; items
   * that arrive later are not.
   */
  close(): Promise<void>;
  /** Releases everything now. Every pending promise rejects with a `TransportError` of code `aborted` whose `cause` is the reason. */
  abort(reason?: unknown): void;
}

/** What the author of a transport writes; `defineTransport` does the rest. No member is called before the factory has returned. */
export interface TransportDriver {
  /** Writes a batch. Called for one batch at a time, in order, after `opened`. Settle late to push back. */
  write(batch: Batch): Promise<void> | void;
  /** Settles when everything written has left this process. Leave it out if the promise of `write` already means that. */
  flush?(): Promise<void> | void;
  /** Ends this direction; receiving goes on. Leave out for a medium without a half-close. */
  end?(): Promise<void> | void;
  /** Called when the caller closes; `close` follows after everything is written. Implement it if that wait must time out. */
  closing?(): void;
  /** Signals the end to the peer, releases everything, then calls `control.closed()`. May be called before `opened`. */
  close(): Promise<void> | void;
  /** Releases everything at once, then calls `control.closed()`. */
  abort(reason: TransportError): Promise<void> | void;
  /** Stops reading the medium, because the consumer is slow. */
  pause?(): void;
  /** Reads the medium again, because the consumer has room. */
  resume?(): void;
}

/** How a driver reports what its medium does. Calls after `closed` have no effect. */
export interface TransportControl {
  /** The first link is up. Batches that waited are written now. */
  opened(): void;
  /**
   * Something arrived. Do not change the array afterwards. An empty array says that something other than a whole message arrived: a part of
   * a message, or a sign of life.
   */
  receive(items: readonly Incoming[]): void;
  /** Nothing more will arrive. The other direction stays open. */
  ended(): void;
  /** Both directions have ended for good, and everything is released. Without an error the end was clean. All details become members of `closed`. */
  closed(error?: TransportError, details?: Pick<TransportClose, 'status'>): void;
}

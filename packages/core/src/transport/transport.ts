/**
 * The transport contract: what a session needs from a medium, and what a transport author writes. Types only.
 *
 * A transport carries encoded text, in batches: a message is encoded once, when it is queued, and parsed once, when somebody reads it.
 * A transport knows no message type. docs/transports.md has the twelve points of the contract; `testTransport` of
 * `@proto/testkit/vitest` has a case for each. What only some transports have is in `resumable-transport.ts`, `watchable-transport.ts`
 * and `worker-transport.ts`, each with a guard.
 */
import type { MalformedReason, WireMessage } from '../framing/json-line.ts';
import type { TransportError } from './error.ts';

/** A place in the peer's sequence. Opaque to all but the transport that made it; may be stored. */
export type Cursor = string;

/** One message on its way out. */
export interface Outgoing {
  /** The message as JSON, without a line end. */
  readonly text: string;
  /** The id it travels under; present where the transport `identifies`. */
  readonly id: string | undefined;
  /** True for what may be lost without harm, such as increments of a text that arrives whole later. */
  readonly ephemeral: boolean;
}

/** Some messages on their way out, in order. */
export interface Batch {
  readonly count: number;
  /** Every message, each followed by one LF: what a byte medium writes. */
  readonly text: string;
  /** The messages one by one, cut on demand: what a medium with frames, events or bodies walks. */
  messages(): IterableIterator<Outgoing>;
}

/** One message that came in. */
export interface IncomingMessage {
  readonly kind: 'message';
  /** The line as it came, without its line end. A relay hands this on and never parses. */
  readonly text: string;
  /** The id it travels under; undefined where it has none. Where the medium does not say it, the text is parsed at the first look. */
  readonly id: string | undefined;
  /** Parses at the first call, never throws, and gives the same answer each time. */
  read(): ReadResult;
  readonly cursor?: Cursor;
  /** Who produced it, where a session has several producers. */
  readonly source?: string;
}

/** A message, or why the line is none; an error has the code `malformed`. */
export type ReadResult =
  | { readonly message: WireMessage; readonly error?: undefined; readonly reason?: undefined }
  | { readonly error: TransportError; readonly reason?: MalformedReason; readonly message?: undefined };

/** Something framing itself lost, in its place: an over-long line, a bad frame. */
export interface IncomingMalformed {
  readonly kind: 'malformed';
  readonly error: TransportError;
  /** The beginning of what was lost. */
  readonly excerpt: string;
}

/** What happened to the connection under a transport that reconnects, in order with the messages. */
export interface IncomingLink {
  readonly kind: 'link';
  readonly state: 'down' | 'up';
  /** The number of the attempt since the link was last up, from 1. */
  readonly attempt: number;
  /** False on `up` when messages may be missing. */
  readonly resumed?: boolean;
  readonly cause?: TransportError;
}

/**
 * What a server says of the session beside its messages, in order with them: `control_resolved`, somebody has answered a request;
 * `delivery_update`, how far a prompt is; `message_refused`, what this side sent is not taken. A session acts on those it knows.
 */
export interface IncomingNotice {
  readonly kind: 'notice';
  /** The name of the event. */
  readonly event: string;
  /** What is said of it: parsed where it is JSON, a text where it is not. */
  readonly data: unknown;
  /** Its place in the log; absent for what is said once, to who listens then. */
  readonly cursor?: Cursor;
}

/** What a transport hands to its reader: a message, a line that is none, news of the link, or news of the session. */
export type Incoming = IncomingMessage | IncomingMalformed | IncomingLink | IncomingNotice;

/** The one reason why a transport ended. A medium may add what only it knows, such as `process` of `spawnAgent`. */
export interface TransportClose {
  /** Who ended it: this side, the other side, or the medium between them. */
  readonly by: 'local' | 'peer' | 'link';
  /** Absent exactly when the end was clean. */
  readonly error?: TransportError;
  /** Exit code, close code or HTTP status, where the medium has one. */
  readonly status?: number;
}

/** How one send may be given up. */
export interface SendOptions {
  readonly signal?: AbortSignal;
}

/** A way to one peer. Made by a factory that returns at once; there is no start call. */
export interface Transport extends AsyncDisposable {
  /** What kind of transport it is, such as `stdio` or `memory`. */
  readonly name: string;
  /** True where every message travels under an id. */
  readonly identifies: boolean;
  /** Fulfils when the first link is up; rejects with a `TransportError` if none ever was. */
  readonly opened: Promise<void>;
  /** Fulfils last, with everything released; never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * What arrives, in order. One consumer, once: a second iteration throws `TypeError`. Ends when the peer ended cleanly, throws
   * the `TransportError` once when it did not; what arrived before is handed out first. Leaving the loop closes the transport.
   */
  readonly incoming: AsyncIterable<readonly Incoming[]>;
  /**
   * Settles when the transport has taken charge of the batch: it is on the medium, or stored for sending again. Not that the
   * peer has it. Stays pending while the medium is behind: that is the back pressure, and the only one.
   */
  send(batch: Batch, options?: SendOptions): Promise<void>;
  /** All that was handed over so far has left this process. */
  flush(options?: SendOptions): Promise<void>;
  /** No more `send`; receiving goes on. */
  end(): Promise<void>;
  /** Flush, say goodbye, release. Settles with `closed`. What had arrived is still handed out, what arrives later is not. */
  close(): Promise<void>;
  /** Release now. What still waits rejects with a `TransportError` of code `aborted` whose `cause` is the reason. */
  abort(reason?: unknown): void;
}

/** What a transport author writes; `defineTransport` does the rest. Nothing here is called before the factory has returned. */
export interface TransportDriver {
  /** One at a time, in order, after `opened`. Settle late to push back. */
  write(batch: Batch): Promise<void> | void;
  /** Settles when everything written has left this process. Leave out where `write` says that already. */
  flush?(): Promise<void> | void;
  /** Half-close. Leave out where the medium has none. */
  end?(): Promise<void> | void;
  /** The caller closed: `close` comes once what was handed over is written. For a medium that does not wait for ever for that. */
  closing?(): void;
  /** Say goodbye and release, then call `control.closed()`. Also before `opened`. */
  close(): Promise<void> | void;
  /** Release at once, then call `control.closed()`. */
  abort(reason: TransportError): Promise<void> | void;
  /** The consumer is behind: stop reading the medium. */
  pause?(): void;
  /** The consumer has room again: go on reading. */
  resume?(): void;
}

/** How a driver reports what its medium does. Calls after `closed` have no effect. */
export interface TransportControl {
  /** The first link is up: what waited is written now. */
  opened(): void;
  /**
   * Something arrived. The array is handed over: do not change it afterwards. An empty one says that what arrived is no message:
   * a part of one, or a sign of life.
   */
  receive(items: readonly Incoming[]): void;
  /** Nothing more will arrive. The other direction stays open. */
  ended(): void;
  /** Gone both ways, for good, and everything released. Without an error the end was clean. All details become members of `closed`. */
  closed(error?: TransportError, details?: Pick<TransportClose, 'status'>): void;
}

import type { WireMessage } from '../framing/parse-line.ts';
import type { ProtocolError } from '../errors.ts';
import type { TransportError } from '../transport/error.ts';
import { Fifo } from '../transport/fifo.ts';
import { Readers } from '../transport/readers.ts';
import type { Cursor, IncomingLink } from '../transport/transport.ts';

/** A message for the application: control frames and `keep_alive` never get here. */
export interface SessionMessage {
  readonly kind: 'message';
  readonly message: WireMessage;
  /** Who produced it, where a session has several producers. */
  readonly source?: string;
}

/** What came in and is no message of the protocol, in its place. The stream goes on; what to do about it is yours to say. */
export interface SessionMalformed {
  readonly kind: 'malformed';
  readonly error: TransportError | ProtocolError;
  /** The beginning of it. */
  readonly excerpt: string;
}

export type SessionItem = SessionMessage | SessionMalformed | IncomingLink;

export interface UnreadOptions {
  /** The item before was handed out, with everything up to this cursor. */
  readonly onCursor: (cursor: Cursor) => void;
  /** An item was handed out. */
  readonly onTake: () => void;
  /** The application left before the end. */
  readonly onReturn: () => void;
}

interface Waiting {
  readonly item: SessionItem;
  readonly bytes: number;
  cursor: Cursor | undefined;
}

/** Items between the read loop and the application, which takes them one by one. */
export class Unread implements AsyncIterableIterator<SessionItem> {
  readonly #options: UnreadOptions;
  readonly #items = new Fifo<Waiting>();
  readonly #readers = new Readers<SessionItem>();
  #iterated = false;
  /** UTF-16 units of the text that waits. */
  bytes = 0;

  constructor(options: UnreadOptions) {
    this.#options = options;
  }

  push(item: SessionItem, bytes: number, cursor: Cursor | undefined): void {
    if (this.#readers.ended) return;
    if (this.#readers.hand(item)) {
      if (cursor !== undefined) this.#options.onCursor(cursor);
      return;
    }
    this.#items.push({ item, bytes, cursor });
    this.bytes += bytes;
  }

  /** A frame the session dealt with itself: its cursor counts as reached when everything before it is handed out. */
  pass(cursor: Cursor | undefined): void {
    if (cursor === undefined) return;
    const last = this.#items.last();
    if (last === undefined) this.#options.onCursor(cursor);
    else last.cursor = cursor;
  }

  end(error?: Error): void {
    this.#readers.end(error && { reason: error });
  }

  [Symbol.asyncIterator](): this {
    if (this.#iterated) throw new TypeError('a session can only be iterated once');
    this.#iterated = true;
    return this;
  }

  next(): Promise<IteratorResult<SessionItem, undefined>> {
    const waiting = this.#items.shift();
    if (waiting === undefined) return this.#readers.wait();
    this.bytes -= waiting.bytes;
    if (waiting.cursor !== undefined) this.#options.onCursor(waiting.cursor);
    this.#options.onTake();
    return Promise.resolve({ done: false, value: waiting.item });
  }

  return(): Promise<IteratorResult<SessionItem, undefined>> {
    const early = !this.#readers.ended;
    this.end();
    this.#readers.forgive();
    this.#items.clear();
    this.bytes = 0;
    this.#options.onTake();
    if (early) this.#options.onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }
}

import type { MalformedReason, WireMessage } from '../framing/json-line.ts';
import type { Issue, ProtocolError } from '../errors.ts';
import type { TransportError } from '../transport/error.ts';
import { Fifo } from '../transport/queues/fifo.ts';
import { PendingReads } from '../transport/queues/pending-reads.ts';
import { ITEM_BYTES } from '../transport/queues/incoming-queue.ts';
import type { Cursor, IncomingLink, IncomingNotice } from '../transport/transport.ts';

/** A message for the application: control frames and `keep_alive` never get here. */
export interface SessionMessage {
  readonly kind: 'message';
  readonly message: WireMessage;
  /** Who produced it, where a session has several producers. */
  readonly source?: string;
  /** What was wrong with members that the session's `validate` left out; absent where nothing was. */
  readonly dropped?: readonly Issue[];
}

/** What came in and is no message of the protocol, in its place. The stream goes on; what to do about it is yours to say. */
export interface SessionMalformed {
  readonly kind: 'malformed';
  readonly error: TransportError | ProtocolError;
  /** The beginning of it. */
  readonly excerpt: string;
  /** Why a line is no message; absent where framing lost it, and for a control frame of the wrong shape. */
  readonly reason?: MalformedReason;
  /** How long the line is, in UTF-16 units; absent where framing lost it. */
  readonly length?: number;
}

/** What a session hands to its reader: a message, a line that is none, news of the link, or news of the session. */
export type SessionItem = SessionMessage | SessionMalformed | IncomingLink | IncomingNotice;

/** What unread items report as they are taken. */
export interface UnreadOptions {
  /** Everything up to this cursor was handed out. */
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
export class Unread implements AsyncIterable<SessionItem> {
  readonly #options: UnreadOptions;
  readonly #items = new Fifo<Waiting>();
  readonly #reads = new PendingReads<SessionItem>();
  /** UTF-16 units of the text that waits, and a little for each item. */
  bytes = 0;

  constructor(options: UnreadOptions) {
    this.#options = options;
  }

  push(item: SessionItem, bytes: number): void {
    if (this.#reads.ended || this.#reads.deliver(item)) return;
    const size = ITEM_BYTES + bytes;
    this.#items.push({ item, bytes: size, cursor: undefined });
    this.bytes += size;
  }

  /** What came up to this cursor is here or dealt with: it is acknowledged when everything before it is handed out. */
  reached(cursor: Cursor | undefined): void {
    if (cursor === undefined) return;
    const last = this.#items.last();
    if (last === undefined) this.#options.onCursor(cursor);
    else last.cursor = cursor;
  }

  end(failure?: { readonly reason: unknown }): void {
    this.#reads.end(failure);
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionItem, undefined> {
    return this.#reads.iterate(
      () => this.#take(),
      () => this.#leave(),
    );
  }

  #take(): SessionItem | undefined {
    const waiting = this.#items.shift();
    if (waiting === undefined) return undefined;
    this.bytes -= waiting.bytes;
    if (waiting.cursor !== undefined) this.#options.onCursor(waiting.cursor);
    this.#options.onTake();
    return waiting.item;
  }

  #leave(): void {
    this.#items.clear();
    this.bytes = 0;
    this.#options.onTake();
    if (!this.#reads.ended) this.#options.onReturn();
  }
}

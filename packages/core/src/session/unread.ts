import type { MalformedReason, WireMessage } from '../framing/json-line.ts';
import type { Issue, ProtocolError } from '../errors.ts';
import type { TransportError } from '../transport/error.ts';
import { Fifo } from '../transport/queues/fifo.ts';
import { PendingReads } from '../transport/queues/pending-reads.ts';
import { ITEM_BYTES } from '../transport/queues/incoming-queue.ts';
import type { Cursor, IncomingLink, IncomingNotice } from '../transport/transport.ts';

/** A message for the application. Control frames and `keep_alive` are not passed to the application. */
export interface SessionMessage {
  readonly kind: 'message';
  readonly message: WireMessage;
  /** The client that sent the message, if a session has several clients. */
  readonly source?: string;
  /** The issues of the members that `validate` has left out. Absent if no members were left out. */
  readonly dropped?: readonly Issue[];
}

/** A line that is not a message, delivered in order with the messages. The stream continues, and the application decides what to do. */
export interface SessionMalformed {
  /** Distinguishes the item from the other items of a session. */
  readonly kind: 'malformed';
  /** A `TransportError` for a line that is too long or is not a message, or a `ProtocolError` for a message of the wrong shape. */
  readonly error: TransportError | ProtocolError;
  /** The beginning of the line: at most 256 characters. */
  readonly excerpt: string;
  /** Why the line is not a message. Absent for a line that was too long, and for a control frame of the wrong shape. */
  readonly reason?: MalformedReason;
  /** The length of the line in UTF-16 units. Absent for a line that was too long. */
  readonly length?: number;
}

/** An item that a session passes to its reader: a message, a malformed line, a change of the link, or a notice from a server. */
export type SessionItem = SessionMessage | SessionMalformed | IncomingLink | IncomingNotice;

/** One object serves all sessions, because closures would take 250 bytes in each idle session. */
export interface UnreadEvents<Owner> {
  /** Called when everything up to a cursor was passed to the application. */
  onCursor(owner: Owner, cursor: Cursor): void;
  onTake(owner: Owner): void;
  /** Called when the application leaves the loop before the end. */
  onReturn(owner: Owner): void;
}

interface Waiting {
  readonly item: SessionItem;
  readonly bytes: number;
  cursor: Cursor | undefined;
}

export class Unread<Owner = unknown> implements AsyncIterable<SessionItem> {
  readonly #owner: Owner;
  readonly #events: UnreadEvents<Owner>;
  readonly #items = new Fifo<Waiting>();
  readonly #reads = new PendingReads<SessionItem>();
  /** The UTF-16 units of the text of all items, plus a fixed amount for each item. */
  bytes = 0;

  constructor(owner: Owner, events: UnreadEvents<Owner>) {
    this.#owner = owner;
    this.#events = events;
  }

  push(item: SessionItem, bytes: number): void {
    if (this.#reads.ended || this.#reads.deliver(item)) return;
    const size = ITEM_BYTES + bytes;
    this.#items.push({ item, bytes: size, cursor: undefined });
    this.bytes += size;
  }

  /** The cursor is reported when the items before it have been passed to the application. */
  reached(cursor: Cursor | undefined): void {
    if (cursor === undefined) return;
    const last = this.#items.last();
    if (last === undefined) this.#events.onCursor(this.#owner, cursor);
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
    if (waiting.cursor !== undefined) this.#events.onCursor(this.#owner, waiting.cursor);
    this.#events.onTake(this.#owner);
    return waiting.item;
  }

  #leave(): void {
    this.#items.clear();
    this.bytes = 0;
    this.#events.onTake(this.#owner);
    if (!this.#reads.ended) this.#events.onReturn(this.#owner);
  }
}

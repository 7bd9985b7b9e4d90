import type { TransportError } from '../error.ts';
import { Fifo } from '../queues/fifo.ts';
import type { Resumption } from '../transport-extensions.ts';
import type { Cursor, Incoming, IncomingMessage } from '../transport.ts';

const MAX_CURSORS = 100_000;

/**
 * Cursors in the order in which they arrived, so that the acknowledged cursor never moves back. The order is needed because only a transport can
 * compare its own cursors.
 */
export class OrderedCursors implements Resumption {
  cursor: Cursor | undefined;
  // The order is kept separately from the set, because V8 finds the first entry of a set by skipping all entries that were removed before it.
  readonly #order = new Fifo<Cursor>();
  readonly #received = new Set<Cursor>();

  constructor(cursor: Cursor | undefined) {
    this.cursor = cursor;
  }

  received(cursor: Cursor): void {
    if (this.#received.has(cursor)) return;
    this.#received.add(cursor);
    this.#order.push(cursor);
    if (this.#received.size > MAX_CURSORS) this.#forget();
  }

  acknowledge(cursor: Cursor): void {
    if (!this.#received.has(cursor)) return;
    while (this.#forget() !== cursor);
    this.cursor = cursor;
  }

  #forget(): Cursor {
    const oldest = this.#order.shift() as Cursor;
    this.#received.delete(oldest);
    return oldest;
  }
}

/**
 * Joins the items of a series of transports, as if they came from a single transport. Each transport continues after the last item of the previous
 * transport.
 */
export class FallbackInput {
  readonly resumption: OrderedCursors;
  readonly #isOwn: (id: string) => boolean;
  #cursor: Cursor | undefined;
  #hasUnnumbered = false;
  #hasMoved = false;
  #isDown = false;
  #owesUp = false;

  /** `isOwn` returns whether this side has sent the message with the given id. */
  constructor(cursor: Cursor | undefined, isOwn: (id: string) => boolean) {
    this.#cursor = cursor;
    this.#isOwn = isOwn;
    this.resumption = new OrderedCursors(cursor);
  }

  /** The next transport continues after this cursor. */
  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  /** Whether the reader was notified that the link is down. */
  get isDown(): boolean {
    return this.#isDown;
  }

  take(items: readonly Incoming[]): readonly Incoming[] {
    const out: Incoming[] = [];
    for (const item of items) {
      if (item.kind === 'link') {
        this.#isDown = item.state === 'down';
        if (item.state === 'up') this.#owesUp = false;
      } else {
        if (this.#owesUp) out.push(...this.up());
        if ('cursor' in item && item.cursor !== undefined) this.resumption.received((this.#cursor = item.cursor));
        if (item.kind === 'message') {
          // A message with a source but without a cursor is not in the log: the server sends it only once.
          this.#hasUnnumbered ||= item.cursor === undefined && item.source === undefined;
          if (this.#hasMoved && this.#isOwnEcho(item)) continue;
        }
      }
      out.push(item);
    }
    return out;
  }

  /** Returns the item that reports the change to the reader. */
  move(cause: TransportError, isNews: boolean): readonly Incoming[] {
    this.#hasMoved = true;
    if (!isNews && !this.#isDown) return [];
    this.#owesUp = true;
    if (this.#isDown) return [];
    this.#isDown = true;
    return [{ kind: 'link', state: 'down', attempt: 1, cause }];
  }

  /**
   * Returns the item that reports that the link is up again, if the new transport has not sent such an item and the reader was notified that the link
   * was down.
   */
  up(): readonly Incoming[] {
    if (!this.#owesUp) return [];
    this.#owesUp = this.#isDown = false;
    // A client that received no numbered item cannot know whether it missed any.
    return [{ kind: 'link', state: 'up', attempt: 1, resumed: !this.#hasUnnumbered }];
  }

  #isOwnEcho(item: IncomingMessage): boolean {
    if (item.source === undefined || item.source === 'worker') return false;
    return item.id !== undefined && this.#isOwn(item.id);
  }
}

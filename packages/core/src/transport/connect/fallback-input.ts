import type { TransportError } from '../error.ts';
import { Fifo } from '../queues/fifo.ts';
import type { Resumption } from '../transport-extensions.ts';
import type { Cursor, Incoming, IncomingMessage } from '../transport.ts';

const MAX_CURSORS = 100_000;

/** Places in the order in which they came, so that the one acknowledged never goes back: only its transport can compare two. */
export class OrderedCursors implements Resumption {
  cursor: Cursor | undefined;
  // Beside the set their order: to look for the first of a set passes by all that were removed before it.
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

/** What comes by one transport after the other, as if it came by one: each goes on behind the last, and its beginning is no news. */
export class FallbackInput {
  readonly resumption: OrderedCursors;
  readonly #isOwn: (id: string) => boolean;
  #cursor: Cursor | undefined;
  #hasUnnumbered = false;
  #hasMoved = false;
  #isDown = false;
  #owesUp = false;

  /** `isOwn` tells by its id what this side has sent. */
  constructor(cursor: Cursor | undefined, isOwn: (id: string) => boolean) {
    this.#cursor = cursor;
    this.#isOwn = isOwn;
    this.resumption = new OrderedCursors(cursor);
  }

  /** The last place that came: the next transport goes on behind it. */
  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  /** Whether the reader was told so. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** What the reader is given of what came. */
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
          // What has a source and no place is of a log, and not kept there.
          this.#hasUnnumbered ||= item.cursor === undefined && item.source === undefined;
          if (this.#hasMoved && this.#isEcho(item)) continue;
        }
      }
      out.push(item);
    }
    return out;
  }

  /** Another transport takes over: what the reader is told of that, where it is news. */
  move(cause: TransportError, isNews: boolean): readonly Incoming[] {
    this.#hasMoved = true;
    if (!isNews && !this.#isDown) return [];
    this.#owesUp = true;
    if (this.#isDown) return [];
    this.#isDown = true;
    return [{ kind: 'link', state: 'down', attempt: 1, cause }];
  }

  /** News that the link is up, where the transport that has taken over has not told it and the reader was told that it was down. */
  up(): readonly Incoming[] {
    if (!this.#owesUp) return [];
    this.#owesUp = this.#isDown = false;
    // Who had no numbers cannot say what was missed.
    return [{ kind: 'link', state: 'up', attempt: 1, resumed: !this.#hasUnnumbered }];
  }

  /** What a transport before this one sent comes back as that of somebody else. */
  #isEcho(item: IncomingMessage): boolean {
    if (item.source === undefined || item.source === 'worker') return false;
    return item.id !== undefined && this.#isOwn(item.id);
  }
}

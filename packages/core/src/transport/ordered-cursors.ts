import { Fifo } from './fifo.ts';
import type { Resumption } from './resumable-transport.ts';
import type { Cursor } from './transport.ts';

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

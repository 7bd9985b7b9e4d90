import type { Cursor, Resumption } from './transport.ts';

const MAX_CURSORS = 100_000;

/** Places in the order in which they came, so that the one acknowledged never goes back: only its transport can compare two. */
export class OrderedCursors implements Resumption {
  cursor: Cursor | undefined;
  readonly #received = new Set<Cursor>();

  constructor(cursor: Cursor | undefined) {
    this.cursor = cursor;
  }

  received(cursor: Cursor): void {
    this.#received.add(cursor);
    if (this.#received.size <= MAX_CURSORS) return;
    for (const oldest of this.#received) return void this.#received.delete(oldest);
  }

  acknowledge(cursor: Cursor): void {
    if (!this.#received.has(cursor)) return;
    for (const earlier of this.#received) {
      this.#received.delete(earlier);
      if (earlier === cursor) break;
    }
    this.cursor = cursor;
  }
}

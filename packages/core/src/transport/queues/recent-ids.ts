import { Fifo } from './fifo.ts';

// The maximum length of all ids together, in UTF-16 units, because a peer may choose long ids.
const MAX_LENGTH = 16 * 1024 * 1024;

/**
 * The ids that arrived most recently. If there are too many ids, or if all ids together are too long, the oldest ids are dropped. The order is kept
 * separately from the set, because V8 finds the first entry of a set by skipping all entries that were removed before it.
 */
export class RecentIds {
  readonly #maxIds: number;
  readonly #maxLength: number;
  readonly #order = new Fifo<string>();
  readonly #ids = new Set<string>();
  #length = 0;

  constructor(maxIds: number, maxLength: number = MAX_LENGTH) {
    this.#maxIds = maxIds;
    this.#maxLength = maxLength;
  }

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    this.#order.push(id);
    this.#length += id.length;
    while (this.#ids.size > this.#maxIds || this.#length > this.#maxLength) this.#forget();
  }

  #forget(): void {
    const oldest = this.#order.shift() as string;
    this.#ids.delete(oldest);
    this.#length -= oldest.length;
  }
}

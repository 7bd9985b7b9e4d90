/**
 * First in, first out, at the same cost however many wait: taken by index, and the taken part is cut off when it is the
 * larger one. `Array.shift` moves all the others from some 16 000 on (measured: 60 times slower).
 */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** The next one, left in its place. */
  peek(): T | undefined {
    return this.#items[this.#head];
  }

  /** The one added last, left in its place. */
  last(): T | undefined {
    return this.#items.at(-1);
  }

  shift(): T | undefined {
    // One that is alone, as most are, leaves the array with the room it has: a new one for each took 3 % of a request.
    if (this.#head === 0 && this.#items.length <= 1) return this.#items.pop();
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Takes all. */
  clear(): T[] {
    const items = this.#items.slice(this.#head) as T[];
    this.#items = [];
    this.#head = 0;
    return items;
  }

  [Symbol.iterator](): ArrayIterator<T> {
    return (this.#items.slice(this.#head) as T[]).values();
  }
}

import { Fifo } from './fifo.ts';

interface Reader<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(reason: unknown): void;
}

/** The callers of `next` that wait, settled in call order, and how their iteration ends. The side of a queue that is read. */
export class PendingReads<T> {
  readonly #waiting = new Fifo<Reader<T>>();
  #failure: { readonly reason: unknown } | undefined;
  #ended = false;
  /** Whether there is, or was, a consumer. */
  claimed = false;

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether a caller waits. */
  get waiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Gives a value to the one that waits longest; false where nobody waits. */
  deliver(value: T): boolean {
    const reader = this.#waiting.shift();
    reader?.resolve({ done: false, value });
    return reader !== undefined;
  }

  /** Notes that there is a consumer now; a second one is refused. */
  claim(): void {
    if (this.claimed) throw new TypeError('Stream can only be iterated once');
    this.claimed = true;
  }

  /** The iterator of the one consumer, over whatever holds what waits: `take` gives the next value of it, or nothing. */
  iterate(take: () => T | undefined, leave: () => void): AsyncIterator<T, undefined> {
    this.claim();
    return {
      next: () => {
        const value = take();
        return value === undefined ? this.wait() : Promise.resolve({ done: false, value });
      },
      return: async () => {
        leave();
        this.end();
        this.#failure = undefined;
        return { done: true, value: undefined };
      },
    };
  }

  /** `next` of an empty queue: waits for a value or the end. */
  wait(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#ended) this.#finish({ resolve, reject });
      else this.#waiting.push({ resolve, reject });
    });
  }

  /** Ends the iteration, where a failure is given with its reason; the first end counts. */
  end(failure?: { readonly reason: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    for (const reader of this.#waiting.clear()) this.#finish(reader);
  }

  /** From now on the end is a clean one. */
  clearError(): void {
    this.#failure = undefined;
  }

  #finish(reader: Reader<T>): void {
    if (this.#failure === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(this.#failure.reason);
  }
}

import { Fifo } from './fifo.ts';

interface Reader<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(reason: unknown): void;
}

/** The reading side of a queue: the waiting calls of `next`, which are settled in call order, and the end of the iteration. */
export class PendingReads<T> {
  readonly #waiting = new Fifo<Reader<T>>();
  #failure: { readonly reason: unknown } | undefined;
  #ended = false;
  /** Whether a consumer has claimed the queue. */
  claimed = false;

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether a call of `next` is waiting. */
  get waiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Passes a value to the call of `next` that has been waiting longest. Returns `false` if no call is waiting. */
  deliver(value: T): boolean {
    const reader = this.#waiting.shift();
    reader?.resolve({ done: false, value });
    return reader !== undefined;
  }

  /** Throws a `TypeError` for a second consumer. */
  claim(): void {
    if (this.claimed) throw new TypeError('Stream can only be iterated once');
    this.claimed = true;
  }

  /** `take` removes and returns the next value of the queue, or returns `undefined` if the queue is empty. */
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

  /** Waits for a value or the end. Used for `next` of an empty queue. */
  wait(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#ended) this.#finish({ resolve, reject });
      else this.#waiting.push({ resolve, reject });
    });
  }

  /** Only the first end counts. */
  end(failure?: { readonly reason: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    for (const reader of this.#waiting.clear()) this.#finish(reader);
  }

  /** Turns a failure into a clean end. */
  clearError(): void {
    this.#failure = undefined;
  }

  #finish(reader: Reader<T>): void {
    if (this.#failure === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(this.#failure.reason);
  }
}

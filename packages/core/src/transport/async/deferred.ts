/** A promise, and the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  settle(value: T): void;
}

/** Creates a deferred that is not settled. */
export function createDeferred<T>(): Deferred<T> {
  let settle!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** Waits for room. Each wait ends with the next `open` or `fail`. */
export class Waiters {
  #waiting: { resolve: () => void; reject: (reason: unknown) => void }[] = [];

  wait(): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    // A caller that ignores the promise must not cause an unhandled rejection; the end of the stream also reports the error.
    opened.catch(() => {});
    return opened;
  }

  open(): void {
    if (this.#waiting.length === 0) return;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  fail(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }
}

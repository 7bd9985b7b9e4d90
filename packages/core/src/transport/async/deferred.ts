/** A promise that whoever has it can settle. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  settle(value: T): void;
}

/** Creates a deferred that is open. */
export function createDeferred<T>(): Deferred<T> {
  let settle!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** A place to wait until there is room again; each wait ends with the next `open` or `fail`. */
export class Waiters {
  #waiting: { resolve: () => void; reject: (reason: unknown) => void }[] = [];

  wait(): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    // A caller who does not wait has not lost the error: the end of the stream tells it too.
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

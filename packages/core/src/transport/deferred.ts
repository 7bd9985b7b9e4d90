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

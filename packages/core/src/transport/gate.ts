/** A promise that whoever has it can settle. */
export interface Gate<T> {
  readonly promise: Promise<T>;
  settle(value: T): void;
}

/** Makes one. */
export function newGate<T>(): Gate<T> {
  let settle!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

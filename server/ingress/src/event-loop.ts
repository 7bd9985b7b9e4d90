/** Resolves after other pending work of the event loop has run, so that long work does not delay other clients. */
export function yieldToEventLoop(): Promise<void> {
  // Only Node has `setImmediate`.
  const { setImmediate: soon = (callback: () => void) => setTimeout(callback, 0) } = globalThis as {
    setImmediate?: (callback: () => void) => unknown;
  };
  return new Promise((resolve) => void soon(resolve));
}

/**
 * Calls `work` with a value: immediately, or when the promise of the value is fulfilled. Use this function on the path of each request for values
 * that are nearly always available: an async function would cost more than this check.
 */
export function andThen<Value, Result>(
  value: Value | Promise<Value>,
  work: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(work) : work(value);
}

/** Long work that yields after each step of a few milliseconds. */
export type Steps<Result> = Generator<void, Result, void>;

/**
 * Runs work to its end, with other work between its steps. If the work has only one step, which is nearly always the case, the result is returned
 * without a promise, because a promise would cost more than the work. Throws the error of the first step. If a later step throws an error, the
 * promise rejects with it.
 */
export function inSteps<Result>(work: Steps<Result>): Result | Promise<Result> {
  const step = work.next();
  return step.done === true ? step.value : afterFirst(work);
}

async function afterFirst<Result>(work: Steps<Result>): Promise<Result> {
  for (;;) {
    await yieldToEventLoop();
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** A step ends after this many UTF-16 units have been parsed, which takes a few milliseconds. */
const STEP_UNITS = 256 * 1024;

/** Divides long work into steps, so that other work can run between them. Decides when a step ends. */
export class Pace {
  #units = 0;

  /** Adds a piece of work of this size, in UTF-16 units. Returns whether the step ends after this piece. */
  isStepDone(units: number): boolean {
    this.#units += units;
    if (this.#units < STEP_UNITS) return false;
    this.#units = 0;
    return true;
  }
}

/** How many items of a long list are processed in one step. For every kind of processing, this takes less than a millisecond. */
const STEP_ITEMS = 100;

/** Counts the processed items of a very long list, so that other work can run in between. */
export class StepCount {
  #items = 0;

  /** Whether the step ends with the current item. Read this once for each item. */
  get isStepDone(): boolean {
    this.#items = (this.#items + 1) % STEP_ITEMS;
    return this.#items === 0;
  }
}

/** Processes each item of a very long list, and lets other work run in between. */
export async function forEachInSteps<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  const steps = new StepCount();
  for (const item of items) {
    work(item);
    if (steps.isStepDone) await yieldToEventLoop();
  }
}

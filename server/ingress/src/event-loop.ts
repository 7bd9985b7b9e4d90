/** Settles after other work that waits for the event loop, so that long work does not delay other clients. */
export function yieldToEventLoop(): Promise<void> {
  // Only Node has `setImmediate`.
  const { setImmediate: soon = (callback: () => void) => setTimeout(callback, 0) } = globalThis as {
    setImmediate?: (callback: () => void) => unknown;
  };
  return new Promise((resolve) => void soon(resolve));
}

/**
 * Goes on with a value at once, or as soon as its promise has fulfilled. For values that are nearly always there, and on the way of each request: an
 * async function costs more than such a look.
 */
export function andThen<Value, Result>(
  value: Value | Promise<Value>,
  work: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(work) : work(value);
}

/** Long work, which yields after each step of a few milliseconds. */
export type Steps<Result> = Generator<void, Result, void>;

/**
 * Runs work to its end, with other work between its steps. Returns the result itself after work of one step, as nearly all is: a promise for each part
 * of it costs more than the work. Throws what the first step throws; the promise rejects with what a later step throws.
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

/** A step ends after this many UTF-16 units were parsed, which takes a few milliseconds. */
const STEP_UNITS = 256 * 1024;

/** Counts the work of a step. */
export class Pace {
  #units = 0;

  /** Whether the step ends after a further piece of work of this size, in UTF-16 units. */
  isStepDone(units: number): boolean {
    this.#units += units;
    if (this.#units < STEP_UNITS) return false;
    this.#units = 0;
    return true;
  }
}

/** How many items of a long list are looked at in one step: less than a millisecond for each kind of look. */
const STEP_ITEMS = 100;

/** Counts the items of long work that is done for each of very many, to let other work run after some of them. */
export class StepCount {
  #items = 0;

  /** Whether the step ends with the present item. Ask once for each item. */
  get isStepDone(): boolean {
    this.#items = (this.#items + 1) % STEP_ITEMS;
    return this.#items === 0;
  }
}

/** Does something with each of very many items, and lets other work run after some of them. */
export async function forEachInSteps<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  const steps = new StepCount();
  for (const item of items) {
    work(item);
    if (steps.isStepDone) await yieldToEventLoop();
  }
}

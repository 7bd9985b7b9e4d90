import { onAbort } from '../async/callbacks.ts';
import { toTransportError } from '../error.ts';
import { Fifo } from './fifo.ts';

const DONE = Promise.resolve();
const IGNORE = (): void => {};
const SUCCESS: Outcome = {};

interface Outcome {
  readonly error?: unknown;
}

class Task {
  readonly run: () => Promise<void> | void;
  #outcome: Outcome | undefined;
  #caller: { resolve(): void; reject(error: unknown): void } | undefined;
  #forget: (() => void) | undefined;

  constructor(run: () => Promise<void> | void, signal: AbortSignal | undefined) {
    this.run = run;
    this.#forget = signal && onAbort(signal, () => this.settle({ error: signal.reason }));
  }

  get settled(): boolean {
    return this.#outcome !== undefined;
  }

  settle(outcome: Outcome): void {
    if (this.settled) return;
    this.#outcome = outcome;
    this.#forget?.();
    if ('error' in outcome) this.#caller?.reject(outcome.error);
    else this.#caller?.resolve();
  }

  /**
   * Returns the promise of the operation. An operation that has ended returns a shared promise, because most writes end at once, and a new promise
   * took 8 % of the memory of a request.
   */
  settlement(): Promise<void> {
    if (this.#outcome !== undefined) return 'error' in this.#outcome ? refused(this.#outcome.error) : DONE;
    return handled(
      new Promise((resolve, reject) => {
        this.#caller = { resolve, reject };
      }),
    );
  }
}

/**
 * Runs the operations of one medium one at a time, in call order, after `start`. Each promise settles, no matter what the medium does: through the
 * operation, the caller's signal, or `fail`.
 */
export class SerialQueue {
  readonly #tasks = new Fifo<Task>();
  #running: Task | undefined;
  #started = false;
  #failure: Error | undefined;

  add(run: () => Promise<void> | void, signal?: AbortSignal): Promise<void> {
    if (this.#failure !== undefined) return refused(this.#failure);
    if (signal?.aborted) return refused(signal.reason);
    const task = new Task(run, signal);
    // The usual case: nothing is running, so nothing is waiting.
    if (this.#started && this.#running === undefined) this.#run(task);
    else this.#tasks.push(task);
    this.#drain();
    return task.settlement();
  }

  start(): void {
    this.#started = true;
    this.#drain();
  }

  /** Rejects the running operation, all waiting operations, and all later operations. */
  fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#running?.settle({ error });
    for (const task of this.#tasks.clear()) task.settle({ error });
  }

  #drain(): void {
    while (this.#started && this.#running === undefined) {
      const task = this.#tasks.shift();
      if (task === undefined) return;
      // The caller aborted while the operation waited, so the operation never begins.
      if (!task.settled) this.#run(task);
    }
  }

  #run(task: Task): void {
    this.#running = task;
    try {
      const pending = task.run();
      if (pending === undefined) this.#ended(task, SUCCESS);
      else void this.#wait(task, pending);
    } catch (error) {
      this.#ended(task, failure(error));
    }
  }

  async #wait(task: Task, pending: Promise<void>): Promise<void> {
    const outcome = await pending.then(() => SUCCESS, failure);
    this.#ended(task, outcome);
    this.#drain();
  }

  #ended(task: Task, outcome: Outcome): void {
    this.#running = undefined;
    task.settle(outcome);
  }
}

function failure(error: unknown): Outcome {
  return { error: toTransportError(error) };
}

/** A caller that ignores the promise must not cause an unhandled rejection, because the end of the transport also reports the error. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(IGNORE);
  return promise;
}

export function refused(error: unknown): Promise<never> {
  return handled(Promise.reject(error));
}

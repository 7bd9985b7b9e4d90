import { onAbort } from './on-abort.ts';
import { TransportError } from './error.ts';
import { Fifo } from './fifo.ts';

interface Task {
  run(): Promise<void> | void;
  resolve(): void;
  reject(error: unknown): void;
  settled: boolean;
}

/**
 * Runs the operations of one medium one at a time, in call order, once started. Each caller has its own promise, which
 * settles whatever the medium does: by its operation, by its signal, or by `fail`.
 */
export class WriteQueue {
  readonly #tasks = new Fifo<Task>();
  #running: Task | undefined;
  #started = false;
  #failure: Error | undefined;

  add(run: () => Promise<void> | void, signal?: AbortSignal): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        if (task.settled) return;
        task.settled = true;
        forget?.();
        act();
      };
      const task: Task = {
        run,
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
        settled: false,
      };
      const forget = signal && onAbort(signal, () => task.reject(signal.reason));
      this.#tasks.push(task);
      void this.#drain();
    });
  }

  start(): void {
    this.#started = true;
    void this.#drain();
  }

  /** Rejects what runs, what waits and whatever comes later. */
  fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#running?.reject(error);
    for (const task of this.#tasks.clear()) task.reject(error);
  }

  async #drain(): Promise<void> {
    if (!this.#started || this.#running !== undefined) return;
    while ((this.#running = this.#tasks.shift()) !== undefined) {
      const task = this.#running;
      // Aborted while it waited, so its operation never begins.
      if (task.settled) continue;
      try {
        const pending = task.run();
        if (pending !== undefined) await pending;
        task.resolve();
      } catch (error) {
        task.reject(TransportError.from(error));
      }
    }
  }
}

import { Fifo } from '../../transport/fifo.ts';

/** Runs what is added one at a time, in order. */
export interface TurnQueue<T> {
  /** How many wait behind the running one. */
  readonly size: number;
  /** What waits, in order. */
  readonly waiting: readonly T[];
  add(item: T): void;
  /** Takes what waits and matches out of the queue, so that it never runs. */
  remove(matches: (item: T) => boolean): readonly T[];
  /** Fulfils when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

/** `run` must not reject: what goes wrong in a turn is told in its result. */
export function createTurnQueue<T>(run: (item: T) => Promise<void>): TurnQueue<T> {
  const waiting = new Fifo<T>();
  let running = false;
  let idle: (() => void)[] = [];

  async function drain(): Promise<void> {
    if (running) return;
    running = true;
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
    // In the same tick as the last look at the queue, so that nothing added meanwhile is left behind.
    running = false;
    const settled = idle;
    idle = [];
    for (const resolve of settled) resolve();
  }

  return {
    get size() {
      return waiting.size;
    },
    get waiting() {
      return [...waiting];
    },
    add(item) {
      waiting.push(item);
      void drain();
    },
    remove(matches) {
      const removed: T[] = [];
      for (const item of waiting.clear()) {
        if (matches(item)) removed.push(item);
        else waiting.push(item);
      }
      return removed;
    },
    idle: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}

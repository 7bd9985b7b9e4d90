import { Fifo } from '../../transport/fifo.ts';

/** Runs what is added, in order: one batch at a time, of what waits together and may be merged. */
export interface TurnQueue<T> {
  /** How many wait behind the running ones. */
  readonly size: number;
  /** What waits, in order. */
  readonly waiting: readonly T[];
  add(item: T): void;
  /** Adds it ahead of all that waits. */
  addFirst(item: T): void;
  /** Takes the first that waits and matches out of the queue, so that it never runs. */
  takeFirst(matches: (item: T) => boolean): T | undefined;
  /** Takes all that waits and matches. */
  remove(matches: (item: T) => boolean): readonly T[];
  /** Fulfils when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

/**
 * `run` must not reject: what goes wrong in a turn is told in its result. `merges` says of what waits whether it may run with others;
 * default is that each runs alone.
 */
export function createTurnQueue<T>(
  run: (items: readonly T[]) => Promise<void>,
  merges: (item: T) => boolean = () => false,
): TurnQueue<T> {
  const waiting = new Fifo<T>();
  let running = false;
  let idle: (() => void)[] = [];

  function next(): readonly T[] {
    const batch: T[] = [];
    for (let item = waiting.peek(); item !== undefined; item = waiting.peek()) {
      const fits = batch.length === 0 || (merges(item) && merges(batch[0] as T));
      if (!fits) break;
      batch.push(item);
      waiting.shift();
    }
    return batch;
  }

  async function drain(): Promise<void> {
    if (running) return;
    running = true;
    for (let batch = next(); batch.length > 0; batch = next()) await run(batch);
    // In the same tick as the last look at the queue, so that nothing added meanwhile is left behind.
    running = false;
    const settled = idle;
    idle = [];
    for (const resolve of settled) resolve();
  }

  function refill(items: readonly T[]): void {
    for (const item of items) waiting.push(item);
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
    addFirst(item) {
      refill([item, ...waiting.clear()]);
      void drain();
    },
    takeFirst(matches) {
      const first = [...waiting].find(matches);
      if (first !== undefined) refill(waiting.clear().filter((item) => item !== first));
      return first;
    },
    remove(matches) {
      const removed: T[] = [];
      refill(
        waiting.clear().filter((item) => {
          if (matches(item)) removed.push(item);
          else return true;
          return false;
        }),
      );
      return removed;
    },
    idle: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}

import { Fifo } from '../transport/fifo.ts';

/** Runs what is added one at a time, in order. */
export interface TurnQueue<T> {
  /** What waits behind the running one. */
  readonly size: number;
  add(item: T): void;
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
    add(item) {
      waiting.push(item);
      void drain();
    },
    idle: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}

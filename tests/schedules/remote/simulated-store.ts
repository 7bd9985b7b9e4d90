import type { Clock } from '@proto/transport-sse';
import { type EventLog, EventLogError } from '@proto/ingress';

/** The time between a write and its commit, and what a read needs: room for what else may happen. */
const COMMIT_MS = 5;
const READ_MS = 2;

/** One server's hold on a log that outlives it: writes are kept when they are committed, and nothing of them before. */
export class SimulatedStore {
  readonly log: EventLog;
  #alive = true;
  #failing = 0;
  #slowUntil = 0;
  readonly #clock: Clock;

  constructor(kept: EventLog, clock: Clock) {
    this.#clock = clock;
    /** Settles with what the server would have, if it is still there. */
    const after = <T>(ms: number, work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const late = Math.max(0, this.#slowUntil - clock.now());
        clock.setTimeout(() => {
          if (this.#alive) work().then(resolve, reject);
        }, late + ms);
      });
    const write = <T>(work: () => Promise<T>) =>
      after(COMMIT_MS, () => {
        if (this.#failing === 0) return work();
        this.#failing--;
        return Promise.reject(new EventLogError('failed', 'the disk has failed'));
      });
    // As it was when it was asked for.
    const read = <T>(found: Promise<T>) => after(READ_MS, () => found);
    this.log = {
      ...kept,
      append: (stream, events) => write(() => kept.append(stream, events)),
      writeDocument: (stream, name, text) => write(() => kept.writeDocument(stream, name, text)),
      read: (stream, after_, limits) => read(kept.read(stream, after_, limits)),
      readDocument: (stream, name) => read(kept.readDocument(stream, name)),
    };
  }

  failOnce(): void {
    this.#failing++;
  }

  /** Nothing is read or written for so long. */
  hang(ms: number): void {
    this.#slowUntil = this.#clock.now() + ms;
  }

  kill(): void {
    this.#alive = false;
  }
}

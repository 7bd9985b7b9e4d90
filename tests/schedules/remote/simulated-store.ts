import type { Clock } from '@proto/core/reconnect';
import { type EventLog, EventLogError } from '@proto/ingress';

/** The time between a write and its commit, and the time of a read: other steps may happen in between. */
const COMMIT_MS = 5;
const READ_MS = 2;

/** The connection of one server to a log that outlives the server: only committed writes are kept. */
export class SimulatedStore {
  readonly log: EventLog;
  #alive = true;
  #failing = 0;
  #slowUntil = 0;
  readonly #clock: Clock;

  constructor(kept: EventLog, clock: Clock) {
    this.#clock = clock;
    /** Settles with the result of the operation if the server still runs. */
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
    // The read returns the log as it was at the time of the call.
    const read = <T>(found: Promise<T>) => after(READ_MS, () => found);
    this.log = {
      ...kept,
      append: (stream, events, condition) => write(() => kept.append(stream, events, condition)),
      writeDocument: (stream, name, text, condition) => write(() => kept.writeDocument(stream, name, text, condition)),
      read: (stream, after_, limits) => read(kept.read(stream, after_, limits)),
      readDocument: (stream, name) => read(kept.readDocument(stream, name)),
    };
  }

  failOnce(): void {
    this.#failing++;
  }

  /** Delays reads and writes for so long. */
  hang(ms: number): void {
    this.#slowUntil = this.#clock.now() + ms;
  }

  kill(): void {
    this.#alive = false;
  }
}

import { createMemoryEventLog, type EventLog } from '@proto/ingress';

/** A store that commits appends only when it is told to. It outlives its server, and what it has not committed then is lost. */
export class HeldStore {
  readonly #kept = createMemoryEventLog();
  #waiting: (() => Promise<void>)[] = [];

  /** Whether an append waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** The log for the next server. What the one before has not committed is lost. */
  connect(): EventLog {
    const log = this.#kept.another();
    this.#waiting = [];
    const waiting = this.#waiting;
    return {
      ...log,
      append: async (stream, events, condition) => {
        const known = await Promise.all(events.map(({ id }) => log.find(stream, id)));
        // Nothing has to be stored.
        const isKnown = waiting.length === 0 && known.every((event) => event !== undefined);
        if (isKnown) return log.append(stream, events, condition);
        return new Promise((resolve, reject) => {
          waiting.push(() => log.append(stream, events, condition).then(resolve, reject));
        });
      },
    };
  }

  /** Commits the append that has waited longest. */
  async commitNext(): Promise<void> {
    await this.#waiting.shift()?.();
  }

  /** The ids of the events of a session. */
  async idsOf(session: string): Promise<readonly string[]> {
    return (await this.#kept.read(session, 0)).events.map(({ id }) => id);
  }
}

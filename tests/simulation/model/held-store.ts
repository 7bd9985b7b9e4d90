import { createMemoryEventLog } from '@proto/ingress';
import type { EventLog } from '@proto/ingress/event-log';

/** A store that commits an append only when `commitNext` is called. The store outlives its server, and uncommitted appends are then lost. */
export class HeldStore {
  readonly #kept = createMemoryEventLog();
  #waiting: (() => Promise<void>)[] = [];

  /** True if an append waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Returns the log for the next server. Uncommitted appends of the previous server are lost. */
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

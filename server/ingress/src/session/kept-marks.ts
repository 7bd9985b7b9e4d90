import { yieldToEventLoop } from '../event-loop.ts';
import { type JsonObject, parseObject } from '../json/values.ts';
import type { EventLog } from '../log/event-log.ts';

/** A mark from a worker: how far it has processed one event, or the position up to which it has received everything. */
export type DeliveryMark = { readonly id: unknown; readonly status: unknown } | { readonly upTo: number };

/**
 * The marks of a session in the log, in a separate stream. Each mark is a short row: writing the state of all marks for each mark would have
 * quadratic cost.
 */
export class KeptMarks {
  readonly #log: EventLog;
  readonly #stream: string;
  #upTo: number;
  #sinceCheckpoint = 0;
  #unkept: DeliveryMark[] = [];
  #unsent: JsonObject[] = [];

  /** @param upTo the last row that is part of the checkpoint. */
  constructor(log: EventLog, session: string, upTo = 0) {
    this.#log = log;
    this.#stream = `${session}/marks`;
    this.#upTo = upTo;
  }

  get upTo(): number {
    return this.#upTo;
  }

  /** The number of rows that loading the session has to read. */
  get sinceCheckpoint(): number {
    return this.#sinceCheckpoint;
  }

  /** Call this after a checkpoint that includes all rows was stored. */
  checkpointed(): void {
    this.#sinceCheckpoint = 0;
  }

  /**
   * Stores delivery marks, and returns the news that may be sent to viewers once the marks are durable. If storing fails, marks and news are kept for
   * the next call, because a repeated mark from a worker produces no news.
   */
  async append(marks: readonly DeliveryMark[], news: readonly JsonObject[] = []): Promise<readonly JsonObject[]> {
    this.#unkept.push(...marks);
    this.#unsent.push(...news);
    if (this.#unkept.length > 0) await this.#store(this.#unkept);
    const unsent = this.#unsent;
    this.#unkept = [];
    this.#unsent = [];
    return unsent;
  }

  async #store(marks: readonly DeliveryMark[]): Promise<void> {
    const rows = marks.map((mark) => JSON.stringify(mark));
    // After a failure, a mark may be appended again with the same id.
    const events = rows.map((payload) => ({ id: payload, type: 'delivery', source: 'worker', payload }));
    for (const { sequence } of await this.#log.append(this.#stream, events)) {
      // A stream that was dropped because of its age starts again from the beginning. A checkpoint that refers to a row of the old stream must be
      // replaced.
      this.#sinceCheckpoint = sequence > this.#upTo ? this.#sinceCheckpoint + 1 : Infinity;
      this.#upTo = sequence;
    }
  }

  /** The marks since the checkpoint, in order. */
  async *read(): AsyncGenerator<DeliveryMark> {
    for (;;) {
      const { events, last } = await this.#log.read(this.#stream, this.#upTo);
      if (last < this.#upTo) {
        // The stream was dropped because of its age and may have started again, so it is read from its beginning.
        this.#upTo = 0;
        if (last > 0) continue;
      }
      for (const { sequence, payload } of events) {
        this.#upTo = sequence;
        this.#sinceCheckpoint++;
        // Undefined if the row is damaged.
        const mark = parseObject(payload) as DeliveryMark | undefined;
        if (mark !== undefined) yield mark;
      }
      if (events.length === 0) this.#upTo = last;
      if (this.#upTo >= last) return;
      await yieldToEventLoop();
    }
  }
}

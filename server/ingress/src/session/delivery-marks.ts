import { OldestFirst } from '../oldest-first.ts';

/** The delivery statuses in ascending order. */
const STATUSES = ['received', 'processing', 'processed'] as const;

/**
 * The maximum number of events that are waiting to be processed. Above this number, the oldest events count as processed, because some workers never
 * send marks.
 */
const MAX_WAITING = 10_000;

/** A delivery status; see `STATUSES`. */
export type DeliveryStatus = (typeof STATUSES)[number];

/** The stored form of this state: id, sequence number and highest status of each event. */
export type DeliveryMarksState = readonly (readonly [string, number, DeliveryStatus | null])[];

/**
 * How far the worker has processed the clients' events. Only events that were not yet processed are remembered, so the size does not grow with the
 * session. A mark for any other event is late and has no effect.
 */
export class DeliveryMarks {
  readonly #waiting: Map<string, { readonly sequence: number; status: DeliveryStatus | null }>;
  readonly #oldest: OldestFirst<string, unknown>;

  constructor(state: DeliveryMarksState = []) {
    this.#waiting = new Map(state.map(([id, sequence, status]) => [id, { sequence, status }]));
    this.#oldest = new OldestFirst(this.#waiting);
  }

  get state(): DeliveryMarksState {
    return [...this.#waiting].map(([id, { sequence, status }]) => [id, sequence, status]);
  }

  add(id: string, sequence: number): void {
    this.#waiting.set(id, { sequence, status: null });
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(this.#oldest.key ?? '');
  }

  isWaiting(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Sets a mark. Returns whether the mark is higher than the previous mark. If so, viewers should be notified. */
  mark(id: unknown, status: unknown): status is DeliveryStatus {
    const entry = typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (entry === undefined || rankOf(status) <= rankOf(entry.status)) return false;
    entry.status = status as DeliveryStatus;
    if (status === 'processed') this.#waiting.delete(id as string);
    return true;
  }

  /**
   * Records that everything up to this position has arrived at a worker that sends no marks. Returns how many events are no longer waiting, and the
   * ids of the events whose arrival was not known before.
   */
  deliveredUpTo(sequence: number): { readonly count: number; readonly arrived: readonly string[] } {
    const before = this.#waiting.size;
    const arrived: string[] = [];
    // The map has the same order as the log.
    for (const [id, entry] of this.#waiting) {
      if (entry.sequence > sequence) break;
      this.#waiting.delete(id);
      if (entry.status === null) arrived.push(id);
    }
    return { count: before - this.#waiting.size, arrived };
  }

  /** Removes the events before this position, which retention has dropped. */
  dropBefore(sequence: number): void {
    for (const [id, entry] of this.#waiting) {
      if (entry.sequence >= sequence) break;
      this.#waiting.delete(id);
    }
  }
}

function rankOf(status: unknown): number {
  return STATUSES.indexOf(status as DeliveryStatus);
}

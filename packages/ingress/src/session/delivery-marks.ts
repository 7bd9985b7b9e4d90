/** How far a worker is with an event of a viewer; each is above the one before. */
const STATUSES = ['received', 'processing', 'processed'] as const;

/** What may wait. Of more than that, the oldest count as processed: a worker that never says so would leave all of them. */
const MAX_WAITING = 10_000;

/** A word of `STATUSES`. */
export type DeliveryStatus = (typeof STATUSES)[number];

/** What of this state is stored: id, sequence number and the highest status there was. */
export type DeliveryMarksState = readonly (readonly [string, number, DeliveryStatus | null])[];

/**
 * How far the worker is with what viewers sent. Only what is not yet processed is remembered, so that the size follows what waits,
 * not the length of the session; a mark for anything else comes too late.
 */
export class DeliveryMarks {
  readonly #waiting: Map<string, { readonly sequence: number; status: DeliveryStatus | null }>;

  constructor(state: DeliveryMarksState = []) {
    this.#waiting = new Map(state.map(([id, sequence, status]) => [id, { sequence, status }]));
  }

  get state(): DeliveryMarksState {
    return [...this.#waiting].map(([id, { sequence, status }]) => [id, sequence, status]);
  }

  add(id: string, sequence: number): void {
    this.#waiting.set(id, { sequence, status: null });
    if (this.#waiting.size <= MAX_WAITING) return;
    for (const oldest of this.#waiting.keys()) return void this.#waiting.delete(oldest);
  }

  isWaiting(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Sets a mark; true where it is above the one before, and so worth telling. */
  mark(id: unknown, status: unknown): status is DeliveryStatus {
    const entry = typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (entry === undefined || rankOf(status) <= rankOf(entry.status)) return false;
    entry.status = status as DeliveryStatus;
    if (status === 'processed') this.#waiting.delete(id as string);
    return true;
  }

  /** The worker has all up to this place and tells no marks of its own: gives the ids of what is known to have arrived only now. */
  deliveredUpTo(sequence: number): readonly string[] {
    const arrived: string[] = [];
    // In the order of the log.
    for (const [id, entry] of this.#waiting) {
      if (entry.sequence > sequence) break;
      this.#waiting.delete(id);
      if (entry.status === null) arrived.push(id);
    }
    return arrived;
  }

  /** Forgets what retention has dropped. */
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

/** A damaged or refused part of a session was skipped, and the session continues without it. */
export class SkippedError extends Error {
  /** The name of this class, for logs. */
  override readonly name = 'SkippedError';
  /** The id of the session. */
  readonly session: string;
  /** How many parts were left out since this session was loaded. */
  readonly count: number;

  constructor(session: string, what: string, count: number) {
    super(`ingress: ${what} in the session ${session} was skipped; ${count} so far`);
    this.session = session;
    this.count = count;
  }
}

/** The positions of this many damaged rows are remembered, so that each is counted once. */
const MAX_REMEMBERED_ROWS = 1000;

/** Counts the parts that were left out of a session. Reports the first, the tenth, the hundredth and so on, because a worker may send very many. */
export class Skipped {
  readonly #session: string;
  readonly #onError: (error: unknown) => void;
  readonly #rows = new Set<number>();
  #count = 0;
  #reportAt = 1;

  constructor(session: string, onError: (error: unknown) => void) {
    this.#session = session;
    this.#onError = onError;
  }

  get count(): number {
    return this.#count;
  }

  /** Counts a row of the log that is not a message. */
  row(sequence: number): void {
    if (this.#rows.has(sequence) || this.#rows.size >= MAX_REMEMBERED_ROWS) return;
    this.#rows.add(sequence);
    this.add(`event ${sequence}, which is not JSON,`);
  }

  add(what: string): void {
    this.#count++;
    if (this.#count < this.#reportAt) return;
    this.#reportAt *= 10;
    this.#onError(new SkippedError(this.#session, what, this.#count));
  }
}

/** Something was left out of a session, and the session goes on without it. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError';
  readonly session: string;
  /** How much was left out of this session so far, since it was loaded. */
  readonly count: number;

  constructor(session: string, what: string, count: number) {
    super(`ingress: ${what} in the session ${session} was left out; ${count} so far`);
    this.session = session;
    this.count = count;
  }
}

/** Of that many damaged rows the places are remembered, so that none is counted at each reading. */
const MAX_REMEMBERED_ROWS = 1000;

/** Counts what was left out of a session, and tells of it: of the first, the tenth, the hundredth, since a worker may send very many. */
export class Skipped {
  readonly #session: string;
  readonly #onError: (error: unknown) => void;
  readonly #rows = new Set<number>();
  #count = 0;
  #tellAt = 1;

  constructor(session: string, onError: (error: unknown) => void) {
    this.#session = session;
    this.#onError = onError;
  }

  /** How much was left out so far. */
  get count(): number {
    return this.#count;
  }

  /** A row of the log is no message. */
  row(sequence: number): void {
    if (this.#rows.has(sequence) || this.#rows.size >= MAX_REMEMBERED_ROWS) return;
    this.#rows.add(sequence);
    this.add(`event ${sequence}, which is no JSON,`);
  }

  add(what: string): void {
    this.#count++;
    if (this.#count < this.#tellAt) return;
    this.#tellAt *= 10;
    this.#onError(new SkippedError(this.#session, what, this.#count));
  }
}

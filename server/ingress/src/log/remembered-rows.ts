import { OldestFirst } from '../oldest-first.ts';
import type { StreamRow } from './sqlite-retention.ts';

/** A stream as it is stored in the file. */
export interface RememberedRow {
  readonly row: StreamRow;
  /** The time in milliseconds since 1970 until which no part of the stream is too old. */
  readonly keptUntil: number;
}

/** Above this number, the stream that was remembered first is forgotten. Each stream takes about 200 bytes. */
const MAX_REMEMBERED = 10_000;

/**
 * The rows of the streams that were written last, so that an append does not have to read them: each statement costs more than all other work for an
 * event. Only this process writes to the file, so the remembered rows are correct until a transaction is rolled back.
 */
export class RememberedRows {
  readonly #rows = new Map<string, RememberedRow>();
  readonly #oldest = new OldestFirst(this.#rows);

  get(name: string): RememberedRow | undefined {
    return this.#rows.get(name);
  }

  set(name: string, remembered: RememberedRow): void {
    this.#rows.set(name, remembered);
    if (this.#rows.size > MAX_REMEMBERED) this.#rows.delete(this.#oldest.key ?? '');
  }

  delete(name: string): void {
    this.#rows.delete(name);
  }

  clear(): void {
    this.#rows.clear();
  }
}

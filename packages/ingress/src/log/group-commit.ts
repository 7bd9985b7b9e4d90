import type { Database } from 'libsql';
import { EventLogError, type Usage } from './event-log.ts';
import { sqliteError } from './open-database.ts';
import { storeFull, exceedsLimit } from './store-rules.ts';

interface Write {
  /** How much larger the store may become by it, in bytes. */
  readonly growth: number;
  run(): unknown;
  // A method, so that what waits for any kind of result fits.
  resolve(value: unknown): void;
  reject(error: EventLogError): void;
}

type Outcome = { readonly result: unknown } | { readonly error: EventLogError };

/** Does the writes of one turn of the event loop in one transaction, and settles them behind its commit. */
export class GroupCommit {
  readonly #database: Database;
  /** How much there is, as the writes count it; set back with a transaction. */
  readonly #counted: { usage: Usage };
  readonly #maxTotalBytes: number;
  #waiting: Write[] = [];

  constructor(database: Database, counted: { usage: Usage }, maxTotalBytes: number) {
    this.#database = database;
    this.#counted = counted;
    this.#maxTotalBytes = maxTotalBytes;
  }

  /** Does it with the others of this turn. Rejects as `full` where it makes the store larger than it may be: then it alone is taken back. */
  add<Result>(growth: number, run: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.commit());
      this.#waiting.push({ growth, run, resolve, reject });
    });
  }

  /** Does what waits. */
  commit(): void {
    const writes = this.#waiting;
    this.#waiting = [];
    if (writes.length === 0) return;
    const before = this.#counted.usage;
    try {
      const outcomes = this.#transact(() => writes.map((write): [Write, Outcome] => [write, this.#run(write)]));
      for (const [write, outcome] of outcomes) {
        if ('error' in outcome) write.reject(outcome.error);
        else write.resolve(outcome.result);
      }
    } catch (cause) {
      this.#counted.usage = before;
      const error = sqliteError(cause);
      for (const write of writes) write.reject(error);
    }
  }

  #run(write: Write): Outcome {
    const before = this.#counted.usage;
    // Most writes are far from the limit, and spared the cost of a savepoint.
    if (before.bytes + write.growth <= this.#maxTotalBytes) return { result: write.run() };
    this.#database.exec('SAVEPOINT one');
    const result = write.run();
    const refused = exceedsLimit(before, this.#counted.usage, this.#maxTotalBytes);
    if (refused) this.#database.exec('ROLLBACK TO one');
    this.#database.exec('RELEASE one');
    if (!refused) return { result };
    this.#counted.usage = before;
    return { error: storeFull(this.#maxTotalBytes) };
  }

  #transact<Result>(body: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has rolled back by itself, and there is nothing left to take back.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

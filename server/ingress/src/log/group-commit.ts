import type { Database } from 'libsql';
import { EventLogError, type Usage } from './event-log.ts';
import { sqliteError } from './open-database.ts';
import { storeFull, exceedsLimit } from './store-rules.ts';

interface Write {
  /** Returns why the write may not run at all. Called immediately before the write runs. */
  readonly refusal: (() => EventLogError | undefined) | undefined;
  readonly growth: number;
  run(): unknown;
  // This is a method, so that promises with any result type can be assigned.
  resolve(value: unknown): void;
  reject(error: EventLogError): void;
}

interface Counted {
  /** The size of the store, including what the open transaction has written. */
  readonly usage: Usage;
  /** Called after a rollback, with the usage before the rolled-back writes. */
  rolledBack(usage: Usage): void;
}

type Outcome = { readonly result: unknown } | { readonly error: EventLogError };

/** Combines the writes of one turn of the event loop into one transaction, and settles them after its commit. */
export class GroupCommit {
  readonly #database: Database;
  readonly #counted: Counted;
  readonly #maxTotalBytes: number;
  #waiting: Write[] = [];

  constructor(database: Database, counted: Counted, maxTotalBytes: number) {
    this.#database = database;
    this.#counted = counted;
    this.#maxTotalBytes = maxTotalBytes;
  }

  /**
   * Runs a write in the same transaction as the other writes of this turn. A write that exceeds the limit rejects as `full`, and only this write is
   * rolled back. A write whose `refusal` returns an error rejects with this error, and does not run.
   */
  add<Result>(growth: number, run: () => Result, refusal?: () => EventLogError | undefined): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.commit());
      this.#waiting.push({ growth, run, refusal, resolve, reject });
    });
  }

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
      this.#counted.rolledBack(before);
      const error = sqliteError(cause);
      for (const write of writes) write.reject(error);
    }
  }

  #run(write: Write): Outcome {
    const error = write.refusal?.();
    if (error !== undefined) return { error };
    const before = this.#counted.usage;
    // Most writes are far from the limit and need no savepoint.
    if (before.bytes + write.growth <= this.#maxTotalBytes) return { result: write.run() };
    this.#database.exec('SAVEPOINT one');
    const result = write.run();
    const refused = exceedsLimit(before, this.#counted.usage, this.#maxTotalBytes);
    if (refused) this.#database.exec('ROLLBACK TO one');
    this.#database.exec('RELEASE one');
    if (!refused) return { result };
    this.#counted.rolledBack(before);
    return { error: storeFull(this.#maxTotalBytes) };
  }

  #transact<Result>(body: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // After an error such as a full disk, SQLite may have rolled back by itself.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

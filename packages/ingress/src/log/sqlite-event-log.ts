import type { Database } from 'libsql';
import {
  type Appended,
  DEFAULT_MAX_EVENT_AGE_MS,
  DEFAULT_MAX_STREAM_BYTES,
  type EventLog,
  type EventLogOptions,
} from './event-log.ts';
import { EventLogError } from './event-log-error.ts';
import { openDatabase } from './open-database.ts';
import { createStatements } from './sqlite-statements.ts';
import { sqliteError } from './sqlite-error.ts';

/** How the file of an event log is opened. */
export interface SqliteEventLogOptions extends EventLogOptions {
  /** The file; made where there is none. One server at a time: what another process writes is not seen live. */
  readonly file: string;
}

interface Write {
  run(): unknown;
  // A method, so that what waits for any kind of result fits.
  resolve(value: unknown): void;
  reject(error: EventLogError): void;
}

/**
 * A store in one SQLite file, through `libsql`, which is loaded here. What settles has been synced to the disk: the writes of one
 * turn of the event loop are one transaction, and none of them settles before its commit. Where the commit fails, all of them
 * reject and nothing is kept. Rejects with `not-installed`, `version` or `failed` where the file cannot be used.
 */
export async function openSqliteEventLog(options: SqliteEventLogOptions): Promise<EventLog> {
  const { file, now = Date.now, maxAgeMs = DEFAULT_MAX_EVENT_AGE_MS, maxBytes = DEFAULT_MAX_STREAM_BYTES } = options;
  const database = await openDatabase(file);
  const statements = createStatements(database, { maxAgeMs, maxBytes });
  let waiting: Write[] = [];
  let closed = false;

  const commit = () => {
    const writes = waiting;
    waiting = [];
    if (writes.length === 0) return;
    try {
      const results = transact(database, () => writes.map((write) => write.run()));
      writes.forEach((write, index) => write.resolve(results[index]));
    } catch (cause) {
      const error = sqliteError(cause);
      for (const write of writes) write.reject(error);
    }
  };
  const write = <Result>(run: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      if (closed) return reject(endOfUse());
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ run, resolve, reject });
    });
  const read = async <Result>(run: () => Result) => {
    if (closed) throw endOfUse();
    try {
      return run();
    } catch (cause) {
      throw sqliteError(cause);
    }
  };
  const close = async () => {
    if (closed) return;
    closed = true;
    commit();
    database.close();
  };

  return {
    append: (stream, events) => write<readonly Appended[]>(() => statements.append(stream, events, now())),
    read: (stream, after, limits = {}) => read(() => statements.read(stream, after, limits)),
    readDocument: (stream, name) => read(() => statements.readDocument(stream, name)),
    writeDocument: (stream, name, text) => write(() => statements.writeDocument(stream, name, text, now())),
    expire: () => write(() => statements.expire(now())),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function transact<Result>(database: Database, body: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = body();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has rolled back by itself, and there is nothing left to take back.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function endOfUse(): EventLogError {
  return new EventLogError('closed', 'event log: used after its end');
}

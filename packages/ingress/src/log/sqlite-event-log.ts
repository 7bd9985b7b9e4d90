import type { Database } from 'libsql';
import {
  type Appended,
  DEFAULT_MAX_EVENT_AGE_MS,
  DEFAULT_MAX_STREAM_BYTES,
  DEFAULT_MAX_TOTAL_BYTES,
  type EventLog,
  type EventLogOptions,
  type NewEvent,
} from './event-log.ts';
import { EventLogError } from './event-log-error.ts';
import { openDatabase } from './open-database.ts';
import { createStatements } from './sqlite-statements.ts';
import { sqliteError } from './sqlite-error.ts';
import { aboveLimit, isTooMuch } from './usage.ts';

/** So long at a time `expire` holds up what else the process does. */
const EXPIRE_SLICE_MS = 10;

/** How the file of an event log is opened. */
export interface SqliteEventLogOptions extends EventLogOptions {
  /** The file; made where there is none. One server at a time: what another process writes is not seen live. */
  readonly file: string;
}

interface Write {
  /** How much larger the store may become by it, in bytes. */
  readonly growth: number;
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
  const { maxTotalBytes = DEFAULT_MAX_TOTAL_BYTES } = options;
  const database = await openDatabase(file);
  const statements = createStatements(database, { maxAgeMs, maxBytes });
  let waiting: Write[] = [];
  let closed = false;

  /** Does one write of a transaction. Where it is too much, it alone is taken back, and its error given. */
  const run = (write: Write): { readonly result: unknown } | { readonly error: EventLogError } => {
    const before = statements.usage;
    // Most writes are far from the limit, and spared the cost of a savepoint.
    if (before.bytes + write.growth <= maxTotalBytes) return { result: write.run() };
    database.exec('SAVEPOINT one');
    const result = write.run();
    const refused = isTooMuch(before, statements.usage, maxTotalBytes);
    if (refused) database.exec('ROLLBACK TO one');
    database.exec('RELEASE one');
    if (!refused) return { result };
    statements.usage = before;
    return { error: aboveLimit(maxTotalBytes) };
  };
  const commit = () => {
    const writes = waiting;
    waiting = [];
    if (writes.length === 0) return;
    const before = statements.usage;
    try {
      const outcomes = transact(database, () => writes.map(run));
      writes.forEach((write, index) => {
        const outcome = outcomes[index] as (typeof outcomes)[number];
        if ('error' in outcome) write.reject(outcome.error);
        else write.resolve(outcome.result);
      });
    } catch (cause) {
      statements.usage = before;
      const error = sqliteError(cause);
      for (const write of writes) write.reject(error);
    }
  };
  const write = <Result>(growth: number, work: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      if (closed) return reject(endOfUse());
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ growth, run: work, resolve, reject });
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

  /** In slices, each a write of its own, so that others get their turn in between. */
  const expire = async () => {
    let at: number | undefined = 0;
    do {
      const from: number = at;
      at = await write(0, () => {
        const end = performance.now() + EXPIRE_SLICE_MS;
        return statements.expire(from, now(), () => performance.now() > end);
      });
      // What is left is dropped after the next opening.
    } while (at !== undefined && !closed);
  };

  return {
    append: (stream, events) =>
      write<readonly Appended[]>(sizeOf(events), () => statements.append(stream, events, now())),
    read: (stream, after, limits = {}) => read(() => statements.read(stream, after, limits)),
    find: (stream, id) => read(() => statements.find(stream, id)),
    readDocument: (stream, name) => read(() => statements.readDocument(stream, name)),
    writeDocument: (stream, name, text) =>
      write(Buffer.byteLength(text), () => statements.writeDocument(stream, name, text, now())),
    expire,
    usage: () => read(() => statements.usage),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function sizeOf(events: readonly NewEvent[]): number {
  let bytes = 0;
  for (const { payload } of events) bytes += Buffer.byteLength(payload);
  return bytes;
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

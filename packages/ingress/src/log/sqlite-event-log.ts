import type { Database } from 'libsql';
import {
  type Appended,
  eventLogDefaults,
  type EventLog,
  EventLogError,
  type EventLogOptions,
  type NewEvent,
  type Retention,
} from './event-log.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase, openForReading, sqliteError } from './open-database.ts';
import { createReads, type Reads, usageOf } from './sqlite-reads.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import type { EventLogWarning } from './store-file.ts';

/** `expire` blocks the event loop for at most this long at a time. */
const EXPIRE_SLICE_MS = 10;

/** How the file of an event log is opened. */
export interface SqliteEventLogOptions extends EventLogOptions {
  /** The file, which only one server may have open. A missing file is created for its owner alone. */
  readonly file: string;
  /**
   * Opens the file for reading only, also while a server has it open. Committed events are seen, nothing is written, and no file is created. Writes
   * and `expire` reject as `read-only`. Default false.
   */
  readonly readOnly?: boolean;
  /** Called before the store is opened, once for each of its files that users other than the owner can read or write. */
  readonly onWarning?: (warning: EventLogWarning) => void;
}

/**
 * Opens a store in one SQLite file, through `libsql`, which is loaded by this call. A write that has settled is synced to the disk: the writes of one
 * turn of the event loop are one transaction, and settle after its commit. If the commit fails, all of them reject and nothing is stored.
 *
 * The store belongs to this process until it is closed or the process ends, by a lock of the operating system on `FILE-lock`.
 * @throws EventLogError `in-use` if another server has the file open; `not-installed`, `version` or `failed` if the file cannot be used.
 */
export async function openSqliteEventLog(options: SqliteEventLogOptions): Promise<EventLog> {
  const { file, now = Date.now, maxAgeMs = eventLogDefaults.maxAgeMs } = options;
  const { maxBytes = eventLogDefaults.maxBytes, maxTotalBytes = eventLogDefaults.maxTotalBytes } = options;
  if (options.readOnly === true) return openSqliteReader(file);
  const { database, close: release } = await openDatabase(file, options.onWarning ?? (() => {}));
  const statements = prepare(database, { maxAgeMs, maxBytes }, release);
  const writes = new GroupCommit(database, statements, maxTotalBytes);
  let closed = false;

  const write = async <Result>(growth: number, work: () => Result) => {
    if (closed) throw endOfUse();
    return writes.add(growth, work);
  };
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
    writes.commit();
    release();
  };

  /** Expires in slices. Each slice is a write of its own, so other writes get their turn in between. */
  const expire = async () => {
    let at: number | undefined = 0;
    do {
      const from: number = at;
      at = await write(0, () => {
        const end = performance.now() + EXPIRE_SLICE_MS;
        return statements.expire(from, now(), () => performance.now() > end);
      });
      // After `close` the rest is dropped at the next opening.
    } while (at !== undefined && !closed);
  };

  return {
    append: (stream, events) =>
      write<readonly Appended[]>(sizeOf(events), () => statements.append(stream, events, now())),
    read: (stream, after, limits = {}) => read(() => statements.reads.read(stream, after, limits)),
    find: (stream, id) => read(() => statements.reads.find(stream, id)),
    readDocument: (stream, name) => read(() => statements.reads.readDocument(stream, name)),
    writeDocument: (stream, name, text) =>
      write(Buffer.byteLength(text), () => statements.writeDocument(stream, name, text, now())),
    expire,
    listStreams: (query) => read(() => statements.reads.listStreams(query)),
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

function prepare(database: Database, retention: Retention, release: () => void): SqliteStatements {
  try {
    return new SqliteStatements(database, retention);
  } catch (cause) {
    release();
    throw sqliteError(cause);
  }
}

function endOfUse(): EventLogError {
  return new EventLogError('closed', 'event log: used after its end');
}

/** Opens a file for reading only; see `openSqliteEventLog`. */
async function openSqliteReader(file: string): Promise<EventLog> {
  const current = await openForReading(file);
  let database: Database | undefined;
  let reads: Reads;
  let closed = false;

  const read = async <Result>(work: (reads: Reads, database: Database) => Result) => {
    if (closed) throw new EventLogError('closed', 'event log: used after its end');
    try {
      const now = current();
      if (now !== database) reads = createReads((database = now));
      return work(reads, now);
    } catch (cause) {
      throw sqliteError(cause);
    }
  };
  const refuse = () =>
    read(() => {
      throw new EventLogError('read-only', `event log: ${file} was opened for reading only`);
    });
  const close = async () => {
    if (!closed) current.close();
    closed = true;
  };
  return {
    append: refuse,
    read: (stream, after, limits = {}) => read((from) => from.read(stream, after, limits)),
    find: (stream, id) => read((from) => from.find(stream, id)),
    readDocument: (stream, name) => read((from) => from.readDocument(stream, name)),
    writeDocument: refuse,
    expire: refuse,
    listStreams: (query) => read((from) => from.listStreams(query)),
    usage: () => read((_, from) => usageOf(from)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

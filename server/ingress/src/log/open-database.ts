import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type Libsql from 'libsql';
import type { Database } from 'libsql';
import { EventLogError } from './event-log.ts';
import { checkVersion, migrate } from './sqlite-schema.ts';
import { type EventLogWarning, makePrivate, makeStoreFile, realFile, warnOfOpenFiles } from './store-file.ts';

/** A database that only this process may write. */
export interface OpenDatabase {
  readonly database: Database;
  /** Closes the database and releases the lock of its file. */
  close(): void;
}

// When an unreferenced database is garbage-collected, libsql closes it, which would release the lock. A log that was not closed must keep its file,
// so its database stays referenced here.
const unclosed = new Set<{ readonly lock: StoreLock; readonly database: Database }>();

/** Opens a file for one server, with settings that make commits durable. Creates a missing file, and migrates older tables. */
export async function openDatabase(file: string, onWarning: (warning: EventLogWarning) => void): Promise<OpenDatabase> {
  const Database = await load();
  try {
    const path = makeStoreFile(file);
    warnOfOpenFiles(path, onWarning);
    const lock = lockStore(Database, path);
    const database = new Database(path);
    const both = { lock, database };
    unclosed.add(both);
    const close = () => {
      unclosed.delete(both);
      database.close();
      lock.release();
    };
    try {
      // In WAL mode, FULL syncs at each commit. The default of libsql could lose the last commits in a power failure.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
      migrate(database);
      return {
        database,
        close() {
          try {
            // libsql keeps the WAL open while statements exist, and statements cannot be closed. Therefore the checkpoint is made here.
            database.exec('PRAGMA wal_checkpoint(PASSIVE)');
          } catch {
            // The content of the WAL is durable even without a checkpoint.
          } finally {
            close();
          }
        },
      };
    } catch (error) {
      close();
      throw error;
    }
  } catch (cause) {
    throw sqliteError(cause);
  }
}

/**
 * Opens a file for reading, whether or not a server has it open. Writes nothing and creates no file: without a WAL file, no server is writing,
 * and SQLite opens the file as immutable. Call the returned function before each use, because a server may open the file at any time.
 */
export async function openForReading(file: string): Promise<{ (): Database; close(): void }> {
  const Database = await load();
  try {
    const path = realFile(file);
    let isShared = existsSync(`${path}-wal`);
    let database = connect(Database, path, isShared);
    const current = () => {
      if (!isShared && existsSync(`${path}-wal`)) {
        database.close();
        database = connect(Database, path, (isShared = true));
      }
      return database;
    };
    return Object.assign(current, { close: () => database.close() });
  } catch (cause) {
    throw sqliteError(cause);
  }
}

/** Opens an existing file for queries only. A server may have the file open, or may open it at any time. */
export async function openForQueries(file: string): Promise<Database> {
  const Database = await load();
  const path = realFile(file);
  try {
    const database = new Database(path);
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON');
    return database;
  } catch (cause) {
    throw sqliteError(cause);
  }
}

function connect(Database: typeof Libsql, path: string, isShared: boolean): Database {
  const database = new Database(`${pathToFileURL(path).href}?mode=ro${isShared ? '' : '&immutable=1'}`);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    checkVersion(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Loads the library that the store uses. @throws EventLogError `not-installed` if the library cannot be loaded. */
export async function load(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    throw new EventLogError(
      'not-installed',
      'event log: a log in a file needs the package libsql, which cannot be loaded',
      {
        cause,
      },
    );
  }
}

/** Prevents other servers from opening a store until the lock is released or the process ends. */
export interface StoreLock {
  release(): void;
}

/**
 * Locks a store for this process, with an open transaction on an empty database next to it. The operating system releases this lock when the process
 * ends for any reason, so no stale lock is left. The lock file is never deleted: deleting it would allow a second server to open the store.
 * @throws EventLogError `in-use` if another server, or this process, has the store open.
 */
export function lockStore(Database: typeof Libsql, path: string): StoreLock {
  const file = `${path}-lock`;
  // An existing file is not opened here, because a process that closes any descriptor of a file loses its locks on the file.
  makePrivate(file);
  const database = new Database(file);
  try {
    // Nothing is written here, so no journal on the disk is needed. Only `exec` is used, because a prepared statement would outlive `close`.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { readonly code?: string }).code !== 'SQLITE_BUSY') throw error;
    const message = `event log: ${path} is in use by another server; stop that server, or use another file`;
    throw new EventLogError('in-use', message, { cause: error });
  }
  return { release: () => database.close() };
}

const NO_ROOM = /^SQLITE_(FULL|IOERR_WRITE|IOERR_FSYNC)$/;

/** SQLite's own messages are not shown, because they may quote a statement. */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'the file is not a database',
  SQLITE_CORRUPT: 'the database is damaged',
  SQLITE_FULL: 'no space is left on the disk',
  SQLITE_READONLY: 'the database is not writable',
  SQLITE_CANTOPEN: 'the file cannot be opened',
  SQLITE_BUSY: 'another process is using the database',
};

/**
 * Converts a database error into an `EventLogError`: `full` if no space is left, otherwise `failed`. The original error is the `cause` of the new
 * error.
 */
export function sqliteError(cause: unknown): EventLogError {
  if (EventLogError.is(cause)) return cause;
  const { code = '', message = '' } = Object(cause) as { readonly code?: string; readonly message?: string };
  // Some errors of the library have no code or an empty code.
  const name = code || message || 'the store does not report the reason';
  const reason = REASONS[code] === undefined ? name : `${REASONS[code]} (${code})`;
  return new EventLogError(NO_ROOM.test(code) ? 'full' : 'failed', `event log: ${reason}`, { cause });
}

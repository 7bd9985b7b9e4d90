import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type Libsql from 'libsql';
import type { Database } from 'libsql';
import { EventLogError } from './event-log.ts';
import { checkVersion, migrate } from './sqlite-schema.ts';
import { type EventLogWarning, makePrivate, makeStoreFile, realFile, warnOfOpenFiles } from './store-file.ts';

/** A database that this process alone may write. */
export interface OpenDatabase {
  readonly database: Database;
  /** Closes it, and lets others have it. */
  close(): void;
}

// libsql closes a database that nothing refers to when its memory is collected, and with it goes the lock. A server that has forgotten a log
// without closing it still has the file.
const unclosed = new Set<{ readonly lock: StoreLock; readonly database: Database }>();

/** Opens the file for one server, with what durability needs; makes it where there is none, and brings its tables up to date. */
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
      // With a write-ahead log, FULL syncs at each commit; the default of libsql would lose the last ones with the power.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
      migrate(database);
      return {
        database,
        close() {
          try {
            // libsql holds on to the log beside the file while statements are left, which nobody can close: so this is done by hand.
            database.exec('PRAGMA wal_checkpoint(PASSIVE)');
          } catch {
            // Whatever is in that log is durable there.
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
 * Opens a file for reading, beside the server that has it or without one. Nothing is written, and no file is made: where there is no write-ahead
 * log nobody writes, and SQLite is told to take the file as it is. The function it gives is asked for the database at each use, since a server
 * may have come meanwhile.
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

async function load(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    throw new EventLogError('not-installed', 'event log: a file needs the package libsql, which cannot be loaded', {
      cause,
    });
  }
}

/** Keeps other servers from a store, until it is released or the process is gone. */
interface StoreLock {
  release(): void;
}

/**
 * Takes a store for this process, by a transaction that is held open on an empty database beside it. The operating system keeps that lock and
 * lets go of it with the process, however it ends, so nothing stale is left. The file stays: whoever deletes it lets a second server in.
 * @throws EventLogError `in-use` where another server, or this process, has the store open.
 */
function lockStore(Database: typeof Libsql, path: string): StoreLock {
  const file = `${path}-lock`;
  // Not opened by ourselves where it is there: with the first descriptor that a process closes, it loses its locks on that file.
  makePrivate(file);
  const database = new Database(file);
  try {
    // Without a journal on the disk: nothing is ever written here. By exec alone: a prepared statement would outlive the close.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { readonly code?: string }).code !== 'SQLITE_BUSY') throw error;
    const message = `event log: ${path} is in use by another server; stop that server, or use another file`;
    throw new EventLogError('in-use', message, { cause: error });
  }
  return { release: () => database.close() };
}

/** What SQLite reports when the disk, or a quota, has no room. */
const NO_ROOM = /^SQLITE_(FULL|IOERR_WRITE|IOERR_FSYNC)$/;

/** Turns whatever a database threw into an `EventLogError`: `full` where there is no room, else `failed`, with it as `cause`. */
export function sqliteError(cause: unknown): EventLogError {
  if (EventLogError.is(cause)) return cause;
  const { code = '', message = '' } = Object(cause) as { readonly code?: string; readonly message?: string };
  // Not each error of the library has a code, and one may be empty.
  const reason = code || message || 'the store does not say why';
  return new EventLogError(NO_ROOM.test(code) ? 'full' : 'failed', `event log: ${reason}`, { cause });
}

import type Libsql from 'libsql';
import { EventLogError } from './event-log-error.ts';
import { makePrivate } from './store-file.ts';

/** Keeps other servers from a store, until it is released or the process is gone. */
export interface StoreLock {
  release(): void;
}

/**
 * Takes a store for this process, by a transaction that is held open on an empty database beside it. The operating system keeps that lock and
 * lets go of it with the process, however it ends, so nothing stale is left. The file stays: whoever deletes it lets a second server in.
 * @throws EventLogError `in-use` where another server, or this process, has the store open.
 */
export function lockStore(Database: typeof Libsql, path: string): StoreLock {
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

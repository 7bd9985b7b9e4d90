import { existsSync } from 'node:fs';
import { copyFile, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type Libsql from 'libsql';
import { checkStoreFile, type StoreCheck } from './check-store.ts';
import { EventLogError } from './event-log.ts';
import { load, lockStore, openForQueries, openDatabase, sqliteError } from './open-database.ts';
import { renewIdentity, versionOf } from './sqlite-schema.ts';
import { makePrivate } from './store-file.ts';

/** The files of a store, which must be moved together: without its WAL, the file lacks its newest events. */
const FILES = ['', '-wal', '-shm'];

/**
 * Copies a store into a new file, even while a server has it open. The copy contains everything that was acknowledged before this call. The copy is
 * created completely or not at all, and is synced to the disk. Only the owner of the copy can read it, because it contains the secret that signs
 * worker tokens.
 * @throws EventLogError `failed` if the file contains no store, if the copy exists already, or if the copy cannot be written; `full` if the disk is
 * full
 */
export async function backupStoreFile(file: string, copy: string): Promise<void> {
  const target = resolve(copy);
  refuseExisting(target);
  const database = await openForQueries(file);
  const partial = `${target}.partial`;
  try {
    versionOf(database, file);
    await rm(partial, { force: true });
    // SQLite writes into an existing empty file. It would create a missing file with the permissions of the umask.
    makePrivate(partial);
    database.exec('PRAGMA query_only = OFF');
    database.prepare('VACUUM INTO ?').run(partial);
    await keepAs(partial, target);
  } catch (cause) {
    throw failureOf(cause, copy);
  } finally {
    database.close();
    await rm(partial, { force: true });
  }
}

/** The result of a restore. */
export interface Restored extends StoreCheck {
  /** The path at which the replaced store is kept; undefined if no store was replaced. */
  readonly replaced?: string | undefined;
}

/**
 * Restores a copy of a store to `file`, which no server may have open. The copy is checked before anything is changed, and is not removed. If a store
 * already exists at `file`, the call rejects. With `replace`, it keeps that store under another name instead. The restored store gets a new identity,
 * so that readers whose cursors are after the end of the copy are notified of the gap.
 * @throws EventLogError `in-use` if a server has the store open; `failed` if the copy is damaged or itself in use, or if a store exists and `replace`
 * is not set; `version` for a copy that a newer version of this package wrote
 */
export async function restoreStoreFile(copy: string, file: string, { replace = false } = {}): Promise<Restored> {
  const target = resolve(file);
  if (existsSync(`${resolve(copy)}-wal`)) {
    throw new EventLogError(
      'failed',
      `event log: ${copy} is in use, so this file alone is incomplete: make a backup of the store`,
    );
  }
  const check = await checkStoreFile(copy);
  if (check.problems.length > 0) {
    throw new EventLogError(
      'failed',
      `event log: ${copy} is damaged and was not restored: ${check.problems.join('; ')}`,
    );
  }
  if (!replace) refuseExisting(target);
  const Database = await load();
  const lock = lockStore(Database, target);
  const partial = `${target}.partial`;
  try {
    await rm(partial, { force: true });
    makePrivate(partial);
    await copyFile(copy, partial);
    renewIn(Database, partial);
    const replaced = await setAside(target);
    await keepAs(partial, target);
    return { ...check, replaced };
  } catch (cause) {
    throw failureOf(cause, file);
  } finally {
    await removeAll(partial);
    lock.release();
  }
}

/** The versions of a store's tables, before and after a migration. */
export interface Migrated {
  /** The version of the tables before the migration. */
  readonly from: number;
  /** The version of the tables now; equal to `from` if nothing was changed. */
  readonly to: number;
}

/**
 * Migrates the tables of a store to the current version, as a server does when it opens the store. Make a backup first: afterwards an older version
 * of this package cannot open the file.
 * @throws EventLogError `in-use` if a server has the store open
 */
export async function migrateStoreFile(file: string): Promise<Migrated> {
  const before = await openForQueries(file);
  let from: number;
  try {
    from = versionOf(before, file);
  } finally {
    before.close();
  }
  const { database, close } = await openDatabase(file, () => {});
  try {
    return { from, to: versionOf(database, file) };
  } finally {
    close();
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path))
    throw new EventLogError('failed', `event log: ${path} already exists and was not changed: choose another file`);
}

/** Gives the store in a file a new identity. Afterwards, the file contains the whole store, and a WAL no longer exists. */
function renewIn(Database: typeof Libsql, file: string): void {
  const database = new Database(file);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    renewIdentity(database);
  } finally {
    database.close();
  }
}

async function removeAll(file: string): Promise<void> {
  for (const suffix of FILES) await rm(file + suffix, { force: true });
}

/** Moves the files of an existing store to a new name, and returns this name. Returns undefined if no store exists. */
async function setAside(target: string): Promise<string | undefined> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return undefined;
  const aside = `${target}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const suffix of FILES) {
    if (existsSync(target + suffix)) await rename(target + suffix, aside + suffix);
  }
  return aside;
}

/** Syncs a written file to the disk, and then gives it its final name. Fails if a file with that name exists. */
async function keepAs(partial: string, target: string): Promise<void> {
  await synced(partial);
  await link(partial, target);
  await rm(partial);
  // Windows cannot sync a folder.
  if (process.platform !== 'win32') await synced(dirname(target));
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function failureOf(cause: unknown, file: string): EventLogError {
  if (EventLogError.is(cause)) return cause;
  const { code } = Object(cause) as { readonly code?: string };
  if (code === undefined || code.startsWith('SQLITE')) return sqliteError(cause);
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new EventLogError(isFull ? 'full' : 'failed', `event log: ${file} cannot be written: ${code}`, { cause });
}

import { closeSync, existsSync, fchmodSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { EventLogError } from './event-log.ts';

/** A file of a store that other users of this machine can read or write, though the secret that signs worker tokens is in it. */
export interface EventLogWarning {
  readonly code: 'open-to-others';
  readonly file: string;
  /** The permissions of the file, such as `0o644`. */
  readonly mode: number;
  /** What is wrong with which file; what to do about it stands in the documentation. */
  readonly message: string;
}

/** Read and write, for the owner alone. */
const PRIVATE = 0o600;

/** What SQLite keeps beside the file, with the permissions that the file has. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];

/**
 * Makes the file where there is none, for its owner alone from its first byte on: SQLite would make it as the umask allows. Gives its real path, which
 * is the same for everybody who opens it. A file that is there already keeps its permissions.
 * @throws EventLogError `failed` where no file can be made, or where something else is in its place.
 */
export function makeStoreFile(file: string): string {
  const path = resolve(file);
  makePrivate(path);
  const real = realFile(path);
  if (statSync(real).nlink > 1) {
    // A second server could have it by its other name unseen, with a write-ahead log of its own.
    throw new EventLogError('failed', `event log: ${real} has several names (hard links): use a copy of it instead`);
  }
  return real;
}

/** The real path of a file that is there. @throws EventLogError `failed` where it is not, or where it is something else. */
export function realFile(file: string): string {
  let path: string;
  try {
    path = realpathSync.native(resolve(file));
  } catch (cause) {
    throw unusable(file, cause);
  }
  if (!statSync(path).isFile()) throw new EventLogError('failed', `event log: ${path} is not a regular file`);
  return path;
}

/** Makes an empty file for its owner alone, where nothing has its name. */
export function makePrivate(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'wx', PRIVATE);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw unusable(path, cause);
  }
  try {
    // A umask may have taken from these as well.
    fchmodSync(file, PRIVATE);
  } finally {
    closeSync(file);
  }
}

/** Tells which files of a store others than the owner can use. Windows has no such permissions. */
export function warnOfOpenFiles(path: string, onWarning: (warning: EventLogWarning) => void): void {
  if (process.platform === 'win32') return;
  for (const file of [path, ...SIDE_FILES.map((suffix) => path + suffix)]) {
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    if ((mode & 0o077) === 0) continue;
    const message = `event log: ${file} is open to other users of this machine (mode ${mode.toString(8)})`;
    onWarning({ code: 'open-to-others', file, mode, message });
  }
}

function unusable(file: string, cause: unknown): EventLogError {
  return new EventLogError('failed', `event log: ${file} cannot be used: ${reasonOf(cause, file)}`, { cause });
}

function reasonOf(cause: unknown, file: string): string {
  const { code = 'unknown' } = Object(cause) as { readonly code?: string };
  const folder = dirname(resolve(file));
  if (code === 'ENOENT' && !existsSync(folder)) return `there is no folder ${folder} (${code})`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `it may not be written (${code})`;
  return code;
}

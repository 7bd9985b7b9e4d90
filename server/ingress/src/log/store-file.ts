import { closeSync, existsSync, fchmodSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { EventLogError } from './event-log.ts';

/** A file of a store that other users of this machine can read or write. The file contains the secret that signs worker tokens. */
export interface EventLogWarning {
  readonly code: 'open-to-others';
  readonly file: string;
  /** The permissions of the file, such as `0o644`. */
  readonly mode: number;
  /** A message that names the file and its permissions. The documentation describes what to do. */
  readonly message: string;
}

const OWNER_ONLY = 0o600;

const SIDE_FILES = ['-wal', '-shm', '-journal'];

/**
 * Creates a missing file with permissions for its owner only, because SQLite would create it with the permissions of the umask. Returns the real
 * path, which is the same for every process that opens the file. An existing file keeps its permissions.
 * @throws EventLogError `failed` if the file cannot be created, or if the path is not a regular file.
 */
export function makeStoreFile(file: string): string {
  const path = resolve(file);
  makePrivate(path);
  const real = realFile(path);
  if (statSync(real).nlink > 1) {
    // A second server could open the file by its other name, with a separate WAL.
    throw new EventLogError(
      'failed',
      `event log: ${real} has several names (hard links): use a copy of the file instead`,
    );
  }
  return real;
}

/** The real path of an existing file. @throws EventLogError `failed` for a missing file, and for a path that is not a regular file. */
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

/** Creates an empty file that only its owner can use. An existing file stays unchanged. */
export function makePrivate(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'wx', OWNER_ONLY);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw unusable(path, cause);
  }
  try {
    // The umask may have removed the owner's permissions.
    fchmodSync(file, OWNER_ONLY);
  } finally {
    closeSync(file);
  }
}

/** Warns about each file of a store that users other than the owner can use. Windows has no such permissions. */
export function warnOfOpenFiles(path: string, onWarning: (warning: EventLogWarning) => void): void {
  if (process.platform === 'win32') return;
  for (const file of [path, ...SIDE_FILES.map((suffix) => path + suffix)]) {
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    if ((mode & 0o077) === 0) continue;
    const message = `event log: ${file} is accessible to other users of this machine (mode ${mode.toString(8)}): run chmod go= on the file`;
    onWarning({ code: 'open-to-others', file, mode, message });
  }
}

function unusable(file: string, cause: unknown): EventLogError {
  return new EventLogError('failed', `event log: ${file} cannot be used: ${reasonOf(cause, file)}`, { cause });
}

function reasonOf(cause: unknown, file: string): string {
  const { code = 'unknown', errno } = Object(cause) as { readonly code?: string; readonly errno?: number };
  const folder = dirname(resolve(file));
  if (code === 'ENOENT' && !existsSync(folder)) return `the folder ${folder} does not exist (${code})`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `it is not writable (${code})`;
  const [, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return words === undefined ? code : `${words} (${code})`;
}

import { parseJson } from '@proto/core/framing';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

/** Thrown if another process writes to the session. */
export class SessionInUseError extends Error {
  readonly sessionId: string;
  /** Undefined if the lock file names no process. */
  readonly processId: number | undefined;
  readonly lockFile: string;

  constructor(sessionId: string, lockFile: string, holder?: Holder) {
    const where = holder === undefined || holder.host === hostname() ? '' : ` on ${holder.host}`;
    const who = holder === undefined ? 'another process' : `process ${holder.pid}${where}`;
    super(
      `Session ${sessionId} is in use by ${who}: end that process, continue under another id with --fork-session, or delete ${lockFile} if that process is not running`,
    );
    this.name = 'SessionInUseError';
    this.sessionId = sessionId;
    this.processId = holder?.pid;
    this.lockFile = lockFile;
  }
}

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** In system ticks. Distinguishes the process from later processes with the same pid. Empty if the start time is unknown. */
  readonly began: string;
  /** Unique for each lock, so that no process removes a lock that another process has taken over. */
  readonly token: string;
}

/** The number of attempts to take over a lock whose holder has ended. An attempt fails if another process was faster. */
const TRIES = 10;

/**
 * Creates a lock file next to the session file. The lock file names this process. The lock of a process that has ended is ignored. Returns a
 * function that releases the lock.
 *
 * @throws {SessionInUseError} if another process holds the lock
 */
export function lockSession(path: string, sessionId: string): () => void {
  const file = `${path}.lock`;
  const own: Holder = {
    pid: process.pid,
    host: hostname(),
    began: beginOf(process.pid) ?? '',
    token: crypto.randomUUID(),
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (create(file, own)) return () => removeOf(own, file);
    const holder = holderIn(file);
    if (holder === 'gone') continue;
    if (holder === 'unreadable') break;
    if (!hasEnded(holder)) throw new SessionInUseError(sessionId, file, holder);
    takeOver(file, holder, own);
  }
  throw new SessionInUseError(sessionId, file);
}

/** Only this user can read the file. Returns `false` if the file exists. */
function create(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Only one process at a time can remove a lock, and only if the lock is unchanged. Otherwise, a slow process could remove the lock of the next
 * holder.
 */
function takeOver(file: string, ended: Holder, own: Holder): void {
  const claim = `${file}.${ended.token}`;
  if (!create(claim, own)) return;
  try {
    removeOf(ended, file);
  } finally {
    rmSync(claim, { force: true });
  }
}

function removeOf({ token }: Holder, file: string): void {
  const holder = holderIn(file);
  if (typeof holder === 'object' && holder.token === token) rmSync(file, { force: true });
}

function holderIn(file: string): Holder | 'gone' | 'unreadable' {
  try {
    const { pid, host, began, token } = parseJson(readFileSync(file, 'utf8')) as Record<string, unknown>;
    if (!Number.isSafeInteger(pid) || Number(pid) <= 0 || typeof host !== 'string') return 'unreadable';
    // The token is used in a path.
    if (typeof token !== 'string' || !/^[\w-]+$/.test(token)) return 'unreadable';
    return { pid: Number(pid), host, began: typeof began === 'string' ? began : '', token };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

/** A process on another machine that shares the folder is considered running, because it cannot be checked. */
function hasEnded({ pid, host, began }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const now = beginOf(pid);
  return began !== '' && now !== undefined && now !== began;
}

/** In ticks since the start of the system. `undefined` if the system has no `/proc`. */
function beginOf(pid: number): string | undefined {
  try {
    // The program name is in parentheses, and may contain spaces.
    const [, afterName = ''] = /\)\s([^)]*)$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return afterName.split(' ')[19];
  } catch {
    return undefined;
  }
}

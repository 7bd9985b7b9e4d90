import { EventLogError } from './event-log-error.ts';

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

import { checkDurations } from '@proto/core/network';
import type { Database } from 'libsql';
import {
  type Appended,
  eventLogDefaults,
  type EventLog,
  EventLogError,
  type EventLogOptions,
  type NewEvent,
  type Retention,
  type WriteCondition,
} from './event-log.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase, sqliteError } from './open-database.ts';
import { openSqliteReader } from './sqlite-reader.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { StepTime } from './step-time.ts';
import type { EventLogWarning } from './store-file.ts';
import { Tails } from './tails.ts';

/** `expire` checks at most this many streams and events in one transaction, and fewer if they take longer; see `StepTime`. */
export const EXPIRE_SLICE = 150;

/**
 * During an expiry, a commit moves the pages of the WAL into the file as soon as there are this many. Moving pages delays other work, by about 50 ms
 * for a whole WAL, so only a few pages are moved at a time. Appends use the usual number, because this setting would make them a fifth slower.
 */
const SHORT_CHECKPOINTS = 'PRAGMA wal_autocheckpoint = 200';
const USUAL_CHECKPOINTS = 'PRAGMA wal_autocheckpoint = 1000';

/** How the file of an event log is opened. */
export interface SqliteEventLogOptions extends EventLogOptions {
  /** The file. Only one server at a time can have the file open. A missing file is created with permissions for the owner only. */
  readonly file: string;
  /**
   * Opens the file for reading only, even while a server has it open. Committed events can be read, nothing is written, and no file is created.
   * Writes, claims and `expire` reject as `read-only`. Default false.
   */
  readonly readOnly?: boolean;
  /** Called before the store is opened, once for each of its files that users other than the owner can read or write. */
  readonly onWarning?: (warning: EventLogWarning) => void;
}

/**
 * Opens a store in one SQLite file, with `libsql`, which this call loads. A write settles after it has been synced to the disk. The writes of one
 * turn of the event loop form one transaction and settle after its commit. If the commit fails, all writes of the transaction reject and nothing is
 * stored.
 *
 * An operating-system lock on `FILE-lock` reserves the store for this process until it is closed or the process ends.
 *
 * @example
 * ```ts
 * import { openSqliteEventLog } from '@proto/ingress';
 *
 * const log = await openSqliteEventLog({ file: 'sessions.db' });
 * ```
 *
 * @throws EventLogError `in-use` if another server has the file open; `not-installed`, `version` or `failed` if the file cannot be used.
 */
export async function openSqliteEventLog(options: SqliteEventLogOptions): Promise<EventLog> {
  checkDurations(options);
  const { file, now = Date.now, maxAgeMs = eventLogDefaults.maxAgeMs } = options;
  const { maxBytes = eventLogDefaults.maxBytes, maxTotalBytes = eventLogDefaults.maxTotalBytes } = options;
  if (options.readOnly === true) return openSqliteReader(file);
  const { database, close: release } = await openDatabase(file, options.onWarning ?? (() => {}));
  const statements = prepare(database, { maxAgeMs, maxBytes }, release);
  const writes = new GroupCommit(database, statements, maxTotalBytes);
  const tails = new Tails((stream) => orStoreError(() => statements.reads.last(stream)));
  let closed = false;

  const write = async <Result>(growth: number, work: () => Result, refusal?: () => EventLogError | undefined) => {
    if (closed) throw endOfUse();
    return writes.add(growth, work, refusal);
  };
  const unless = (stream: string, condition: WriteCondition | undefined) =>
    condition && (() => statements.refusalOf(stream, condition));
  const read = async <Result>(run: () => Result) => {
    if (closed) throw endOfUse();
    return orStoreError(run);
  };
  const close = async () => {
    if (closed) return;
    closed = true;
    writes.commit();
    tails.close();
    release();
  };

  return {
    identity: statements.reads.identity(),
    commonWith: (stream, identity) => read(() => statements.reads.commonWith(stream, identity)),
    async append(stream, events, condition) {
      const work = () => statements.append(stream, events, now());
      const appended = await write<readonly Appended[]>(sizeOf(events), work, unless(stream, condition));
      tails.wake(stream);
      return appended;
    },
    read: (stream, after, limits = {}) => read(() => statements.reads.read(stream, after, limits)),
    find: (stream, id) => read(() => statements.reads.find(stream, id)),
    readDocument: (stream, name) => read(() => statements.reads.readDocument(stream, name)),
    writeDocument: (stream, name, text, condition) => {
      const work = () => statements.writeDocument(stream, name, text, now());
      return write(Buffer.byteLength(text), work, unless(stream, condition));
    },
    tail: (stream, after, signal) => tails.tail(stream, after, signal),
    claim: (stream, node, ttlMs) => write(0, () => statements.claim(stream, node, ttlMs, now())),
    release: (stream, epoch) => write(0, () => statements.release(stream, epoch)),
    async expire() {
      if (closed) throw endOfUse();
      await statements.expireClaims(now());
      const slice: Slice = (from, isEnough) => write(0, () => statements.expire(from, now(), isEnough));
      await expireInSlices(database, slice, () => closed);
    },
    listStreams: (query) => read(() => statements.reads.listStreams(query)),
    usage: () => read(() => statements.usage),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Drops what is too old in the streams after an id, until `isEnough` returns true. Fulfils with the id after which to continue, or undefined if no
 * stream is left.
 */
type Slice = (from: number, isEnough: () => boolean) => Promise<number | undefined>;

/**
 * Runs an expiry in slices. Each slice is a separate write, so other writes can run in between. After `close`, the remaining old events are kept
 * until the store is opened again.
 */
async function expireInSlices(database: Database, slice: Slice, isClosed: () => boolean): Promise<void> {
  if (isClosed()) return;
  const step = new StepTime();
  database.exec(SHORT_CHECKPOINTS);
  try {
    for (let at: number | undefined = 0; at !== undefined && !isClosed(); ) {
      let count = 0;
      at = await slice(at, () => {
        // A slice begins with the first call, when it is the slice's turn to write.
        if (count === 0) step.begin();
        return ++count > EXPIRE_SLICE || step.isOver;
      });
    }
  } finally {
    if (!isClosed()) database.exec(USUAL_CHECKPOINTS);
  }
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

function orStoreError<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw sqliteError(cause);
  }
}

function endOfUse(): EventLogError {
  return new EventLogError('closed', 'event log: the log is closed');
}

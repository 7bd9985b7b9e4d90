import type { Database } from 'libsql';
import { type EventLog, EventLogError } from './event-log.ts';
import { openForReading, sqliteError } from './open-database.ts';
import { createReads, type Reads, usageOf } from './sqlite-reads.ts';
import { Tails } from './tails.ts';

const LOOK_EVERY_MS = 1000;

/** Opens a file for reading only; see `openSqliteEventLog`. */
export async function openSqliteReader(file: string): Promise<EventLog> {
  const current = await openForReading(file);
  let database: Database | undefined;
  let reads: Reads;
  let closed = false;

  const readNow = <Result>(work: (reads: Reads, database: Database) => Result) => {
    try {
      const now = current();
      if (now !== database) reads = createReads((database = now));
      return work(reads, now);
    } catch (cause) {
      throw sqliteError(cause);
    }
  };
  const read = async <Result>(work: (reads: Reads, database: Database) => Result) => {
    if (closed) throw new EventLogError('closed', 'event log: the log is closed');
    return readNow(work);
  };
  const tails = new Tails((stream) => readNow((from) => from.last(stream)));
  const refuse = () =>
    read(() => {
      throw new EventLogError('read-only', `event log: ${file} was opened as read-only`);
    });
  const close = async () => {
    if (closed) return;
    closed = true;
    tails.close();
    current.close();
  };
  return {
    get identity() {
      return readNow((from) => from.identity());
    },
    commonWith: (stream, identity) => read((from) => from.commonWith(stream, identity)),
    append: refuse,
    read: (stream, after, limits = {}) => read((from) => from.read(stream, after, limits)),
    find: (stream, id) => read((from) => from.find(stream, id)),
    readDocument: (stream, name) => read((from) => from.readDocument(stream, name)),
    writeDocument: refuse,
    async *tail(stream, after, signal) {
      const look = setInterval(() => tails.wake(stream), LOOK_EVERY_MS).unref();
      try {
        yield* tails.tail(stream, after, signal);
      } finally {
        clearInterval(look);
      }
    },
    claim: refuse,
    release: refuse,
    expire: refuse,
    listStreams: (query) => read((from) => from.listStreams(query)),
    usage: () => read((_, from) => usageOf(from)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

import type { Database } from 'libsql';
import type { EventLog } from './event-log.ts';
import { EventLogError } from './event-log-error.ts';
import { openForReading } from './open-database.ts';
import { sqliteError } from './sqlite-error.ts';
import { createReads, type Reads, usageOf } from './sqlite-reads.ts';

/** The store in a file, for reading alone; see `openSqliteEventLog`. */
export async function openSqliteReader(file: string): Promise<EventLog> {
  const current = await openForReading(file);
  let database: Database | undefined;
  let reads: Reads;
  let closed = false;

  const read = async <Result>(work: (reads: Reads, database: Database) => Result) => {
    if (closed) throw new EventLogError('closed', 'event log: used after its end');
    try {
      const now = current();
      if (now !== database) reads = createReads((database = now));
      return work(reads, now);
    } catch (cause) {
      throw sqliteError(cause);
    }
  };
  const refuse = () =>
    read(() => {
      throw new EventLogError('read-only', `event log: ${file} was opened for reading only`);
    });
  const close = async () => {
    if (!closed) current.close();
    closed = true;
  };
  return {
    append: refuse,
    read: (stream, after, limits = {}) => read((from) => from.read(stream, after, limits)),
    find: (stream, id) => read((from) => from.find(stream, id)),
    readDocument: (stream, name) => read((from) => from.readDocument(stream, name)),
    writeDocument: refuse,
    expire: refuse,
    usage: () => read((_, from) => usageOf(from)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

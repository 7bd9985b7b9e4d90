import type { Database } from 'libsql';
import { EventLogError } from './event-log-error.ts';
import { sqliteError } from './sqlite-error.ts';

/** Counts up with each change of the tables; a file of an older version is brought up to it step by step. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    first INTEGER NOT NULL DEFAULT 1,
    last INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    written_at INTEGER NOT NULL
  );
  -- The payload is null where the event was dropped and only its id is still known.
  CREATE TABLE events (
    stream INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    source TEXT NOT NULL,
    payload TEXT,
    attributes TEXT,
    bytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (stream, sequence),
    UNIQUE (stream, id)
  );
  CREATE TABLE documents (
    stream INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (stream, name)
  );
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Opens the file with what durability needs, and makes its tables where it is new. */
export async function openDatabase(file: string): Promise<Database> {
  const { default: Libsql } = await import('libsql').catch((cause: unknown) => {
    throw new EventLogError('not-installed', 'event log: a file needs the package libsql', { cause });
  });
  try {
    const database = new Libsql(file);
    // With a write-ahead log, FULL syncs at each commit; the default of libsql would lose the last ones with the power.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
    const version = versionOf(database);
    if (version > SCHEMA_VERSION) {
      database.close();
      throw new EventLogError('version', `event log: the file has version ${version}, known is ${SCHEMA_VERSION}`);
    }
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    return database;
  } catch (cause) {
    throw sqliteError(cause);
  }
}

function versionOf(database: Database): number {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  return user_version;
}

import type { Database } from 'libsql';
import { EventLogError } from './event-log.ts';

/** Counts up with each change of the tables; a file of an older version is brought up to it step by step. */
const SCHEMA_VERSION = 2;

const SCHEMA = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    first INTEGER NOT NULL DEFAULT 1,
    last INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    written_at INTEGER NOT NULL,
    document_bytes INTEGER NOT NULL DEFAULT 0
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
    owner TEXT,
    topic TEXT,
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

/**
 * Version 1 knew neither owner nor topic of an event. Both follow from what it kept: the sender of a client from the attributes, and what
 * an answer answers from its payload. Where these were dropped already, or are no JSON, the column stays empty.
 */
export const FROM_VERSION_1 = `
  ALTER TABLE events ADD COLUMN owner TEXT;
  ALTER TABLE events ADD COLUMN topic TEXT;
  ALTER TABLE streams ADD COLUMN document_bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE events SET owner = CASE
    WHEN source = 'worker' THEN 'worker'
    WHEN typeof(attributes) = 'text' THEN CASE WHEN json_valid(attributes) THEN
      CASE json_type(attributes, '$.sender') WHEN 'text' THEN 'client:' || json_extract(attributes, '$.sender') END
    END
  END;
  UPDATE events SET topic = CASE
    WHEN type <> 'control_response' THEN type
    WHEN typeof(payload) = 'text' THEN CASE WHEN json_valid(payload) THEN
      CASE json_type(payload, '$.response.request_id') WHEN 'text'
        THEN 'control_response:' || json_extract(payload, '$.response.request_id')
      END
    END
  END WHERE source <> 'worker';
  UPDATE streams SET document_bytes =
    coalesce((SELECT sum(octet_length(text)) FROM documents WHERE documents.stream = streams.id), 0);
  PRAGMA user_version = 2;
`;

/** What brings a file of each older version to the next one; the index is the version. */
const MIGRATIONS: readonly string[] = [SCHEMA, FROM_VERSION_1];

/**
 * Makes the tables of a new file, or brings those of an older one up to date, in one transaction: a crash on the way leaves the file as it
 * was. @throws EventLogError `version` for a file that was written by a newer version of this package, which is left as it is.
 */
export function migrate(database: Database): void {
  if (checkedVersion(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Again, now that nobody else can change it.
    for (let version = checkedVersion(database); version < SCHEMA_VERSION; version = checkedVersion(database)) {
      database.exec(MIGRATIONS[version] as string);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * For who only reads, and so brings nothing up to date.
 * @throws EventLogError `version` where the file was written by another version of this package, `failed` where it holds no event log.
 */
export function checkVersion(database: Database): void {
  const version = checkedVersion(database);
  if (version === 0) throw new EventLogError('failed', 'event log: the file holds no event log');
  if (version === SCHEMA_VERSION) return;
  const message = `event log: the file has version ${version}; a server that opens it brings it up to ${SCHEMA_VERSION}`;
  throw new EventLogError('version', message);
}

function checkedVersion(database: Database): number {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  if (user_version <= SCHEMA_VERSION) return user_version;
  throw new EventLogError('version', `event log: the file has version ${user_version}, known is ${SCHEMA_VERSION}`);
}

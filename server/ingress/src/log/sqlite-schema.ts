import type { Database } from 'libsql';
import { EventLogError } from './event-log.ts';

const SCHEMA_VERSION = 4;

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
  -- The payload is null for an event that was dropped and whose id is still known.
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
  PRAGMA user_version = 2;
`;

/**
 * In version 1, events had no owner and no topic. This statement derives the owner from the sender in the attributes, and the topic from the type and
 * the payload. The columns stay empty for events whose attributes or payload were dropped or are not JSON.
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

/** Version 2 had no claims. The claims themselves end with the process, but the same epoch must never be given twice. */
const FROM_VERSION_2 = `
  CREATE TABLE epochs (last INTEGER NOT NULL);
  INSERT INTO epochs VALUES (0);
  PRAGMA user_version = 3;
`;

/** Version 3 had no identity. The table `earlier` records what each stream has in common with each earlier identity. */
const FROM_VERSION_3 = `
  CREATE TABLE log (identity TEXT NOT NULL);
  INSERT INTO log VALUES (lower(hex(randomblob(16))));
  CREATE TABLE earlier (
    stream INTEGER NOT NULL,
    identity TEXT NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (stream, identity)
  );
  PRAGMA user_version = 4;
`;

/** The statement at each index migrates a file from that version to a later version. */
const MIGRATIONS: readonly string[] = [SCHEMA, FROM_VERSION_1, FROM_VERSION_2, FROM_VERSION_3];

/**
 * Gives a restored store a new identity, in one transaction. If the tables have a version without identities, they get an identity when they are
 * migrated.
 */
export function renewIdentity(database: Database): void {
  if (checkedVersion(database) < 4) return;
  database.exec(`
    BEGIN IMMEDIATE;
    INSERT INTO earlier SELECT streams.id, log.identity, last FROM streams, log WHERE last > 0;
    UPDATE log SET identity = lower(hex(randomblob(16)));
    COMMIT;
  `);
}

/**
 * Creates the tables of a new file, or migrates an older file, in one transaction: after a crash the file is as it was before.
 * @throws EventLogError `version` for a file that a newer version of this package wrote. That file stays unchanged.
 */
export function migrate(database: Database): void {
  if (checkedVersion(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // The version is checked again, because from now on no other process can change the file.
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
 * Checks the version of a file that is opened for reading and so is not migrated.
 * @throws EventLogError `version` for a file that another version of this package wrote, `failed` for a file without an event log.
 */
export function checkVersion(database: Database): void {
  const version = checkedVersion(database);
  if (version === 0) throw new EventLogError('failed', 'event log: the file does not contain an event log');
  if (version === SCHEMA_VERSION) return;
  const message = `event log: the file has version ${version}: open the file with a server, which updates the file to version ${SCHEMA_VERSION}`;
  throw new EventLogError('version', message);
}

/**
 * Returns the version of a file that contains an event log. @throws EventLogError `failed` for a file without an event log, `version` for a file of a
 * newer version.
 */
export function versionOf(database: Database, file: string): number {
  const version = checkedVersion(database);
  if (version === 0) throw new EventLogError('failed', `event log: ${file} does not contain an event log`);
  return version;
}

/** Returns 0 for a file without an event log. */
function checkedVersion(database: Database): number {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  if (user_version <= SCHEMA_VERSION) return user_version;
  throw new EventLogError(
    'version',
    `event log: the file has version ${user_version}, but the newest known version is ${SCHEMA_VERSION}: use a newer version of this program`,
  );
}

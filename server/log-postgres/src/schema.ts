import { EventLogError } from '@proto/ingress/event-log';
import type { ClientBase } from 'pg';

/** Increased with each change to the tables. */
export const VERSION = 3;

/** The tables of version 1. Times are milliseconds since 1970, sizes are bytes in UTF-8. */
const VERSION_1 = `
  CREATE TABLE streams (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    -- Raised by each write: a write that was decided with another version is decided again. At 0 the stream does not exist yet.
    version bigint NOT NULL DEFAULT 0,
    first bigint NOT NULL DEFAULT 1,
    last bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    document_bytes bigint NOT NULL DEFAULT 0,
    written_at bigint NOT NULL DEFAULT 0,
    -- The time of the event at \`first\`; null without events.
    oldest_at bigint
  );
  CREATE INDEX streams_listed ON streams (id) WHERE version > 0 AND strpos(name, '/') = 0 AND left(name, 1) <> '@';
  CREATE INDEX streams_written ON streams (written_at);
  CREATE INDEX streams_oldest ON streams (oldest_at) WHERE oldest_at IS NOT NULL;
  -- The payload is null for an event that was dropped and whose id is still known.
  CREATE TABLE events (
    stream bigint NOT NULL,
    sequence bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text NOT NULL,
    source text NOT NULL,
    payload text,
    attributes text,
    bytes integer NOT NULL,
    created_at bigint NOT NULL,
    owner text,
    topic text,
    PRIMARY KEY (stream, sequence),
    UNIQUE (stream, id)
  );
  CREATE INDEX events_dropped ON events (created_at) WHERE payload IS NULL;
  CREATE TABLE documents (
    stream bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (stream, name)
  );
  CREATE SEQUENCE epochs;
  CREATE TABLE claims (
    name text COLLATE "C" PRIMARY KEY,
    node text NOT NULL,
    epoch bigint NOT NULL,
    until bigint NOT NULL
  );
  -- The size of the store is the sum of all rows. Each statement that writes adds a separate row, so that writers do not wait for each other.
  CREATE TABLE usage_changes (streams bigint NOT NULL, bytes bigint NOT NULL);
`;

/** Version 2: for names and ids that are too long for an index, the index contains their hash and these columns contain the whole text. */
const VERSION_2 = `
  ALTER TABLE streams ADD COLUMN long_name text;
  ALTER TABLE events ADD COLUMN long_id text;
`;

/** Version 3: the identity of the log, and what each stream has in common with each earlier identity. */
const VERSION_3 = `
  CREATE TABLE log (identity text NOT NULL);
  INSERT INTO log VALUES (replace(gen_random_uuid()::text, '-', ''));
  CREATE TABLE earlier (
    stream bigint NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    identity text NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (stream, identity)
  );
`;

const MIGRATIONS_FROM_VERSION: readonly string[] = [VERSION_1, VERSION_2, VERSION_3];

/**
 * Creates the schema and its tables, or migrates them to a version, by default the version of this package. Either the whole migration is done or
 * nothing is changed, even if several processes do this at the same time.
 * @throws EventLogError `version` if a newer version of this package made the tables.
 */
export async function migrateSchema(client: ClientBase, schema: string, upTo: number = VERSION): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`sjp event log ${schema}`]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
    await client.query(`SET LOCAL search_path TO ${quoted(schema)}`);
    await client.query('CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)');
    for (let version = await versionOf(client, schema); version < upTo; version++) {
      await client.query(MIGRATIONS_FROM_VERSION[version] as string);
      await client.query('DELETE FROM version');
      await client.query('INSERT INTO version VALUES ($1)', [version + 1]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Gives the log a new identity, and records what its streams have in common with the previous identity. */
export async function renewIdentity(client: ClientBase, schema: string): Promise<void> {
  await checkSchema(client, schema);
  const tables = quoted(schema);
  // This is a single statement, so that all its parts see the previous identity.
  await client.query(`
    WITH renewed AS (UPDATE ${tables}.log SET identity = replace(gen_random_uuid()::text, '-', ''))
    INSERT INTO ${tables}.earlier SELECT stream.id, log.identity, stream.last
    FROM ${tables}.streams AS stream, ${tables}.log AS log WHERE stream.last > 0`);
}

export async function identityOf(client: ClientBase, schema: string): Promise<string> {
  const { rows } = await client.query<{ readonly identity: string }>(`SELECT identity FROM ${quoted(schema)}.log`);
  const [row] = rows;
  if (row !== undefined) return row.identity;
  throw new EventLogError(
    'failed',
    `event log: the table log of the schema ${schema} has no row with the identity of the log: restore the database from a backup`,
  );
}

/** @throws EventLogError `version` unless the tables have the version of this package. */
export async function checkSchema(client: ClientBase, schema: string): Promise<void> {
  const version = await versionOf(client, schema);
  if (version === VERSION) return;
  const found = version === 0 ? 'no tables' : `tables of version ${version}`;
  throw new EventLogError(
    'version',
    `event log: the schema ${schema} has ${found}; \`sjp store migrate\` updates it to version ${VERSION}`,
  );
}

/** Returns 0 if the tables do not exist. */
async function versionOf(client: ClientBase, schema: string): Promise<number> {
  const table = `${quoted(schema)}.version`;
  const { rows: found } = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
  if (found[0]?.exists !== true) return 0;
  const { rows } = await client.query(`SELECT version FROM ${table}`);
  const version = Number(rows[0]?.version ?? 0);
  if (version <= VERSION) return version;
  throw new EventLogError(
    'version',
    `event log: the tables have version ${version}, but the newest known version is ${VERSION}: use a newer version of this program`,
  );
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

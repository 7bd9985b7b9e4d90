import { randomUUID } from 'node:crypto';
import type { EventLog, EventLogOptions } from '@proto/ingress/event-log';
import { testEventLog } from '@proto/ingress/vitest';
import pg from 'pg';
import { migratePostgres, renewPostgres } from './migrate.ts';
import { openPostgresEventLog } from './postgres-event-log.ts';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';

const server = postgresForTests();
const schemas = new WeakMap<EventLog, string>();

async function openIn(schema: string, options: EventLogOptions): Promise<EventLog> {
  const log = await openPostgresEventLog({ ...options, url: server().url, schema });
  schemas.set(log, schema);
  return log;
}

const openAgain = (log: EventLog, options: EventLogOptions) => openIn(schemas.get(log) as string, options);

const TABLES = ['streams', 'events', 'documents', 'claims', 'usage_changes', 'log', 'earlier'];

/** Copies the tables of a schema, as a backup does, and puts the copies back. */
async function tableCopies(schema: string) {
  const client = new pg.Client({ connectionString: server().url });
  // The server ends before the last test has closed its connection.
  client.on('error', () => {});
  await client.connect();
  const each = (statement: (table: string) => string) => client.query(TABLES.map(statement).join('; '));
  await client.query(`SET search_path TO "${schema}"`);
  await each((table) => `DROP TABLE IF EXISTS copy_of_${table}; CREATE TABLE copy_of_${table} AS TABLE ${table}`);
  return {
    async restore() {
      await client.query(`TRUNCATE ${TABLES.join(', ')}`);
      await each((table) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE copy_of_${table}`);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

if (server.isInstalled) {
  testEventLog({
    name: 'PostgreSQL',
    async open(options) {
      const schema = randomUUID();
      await migratePostgres({ url: server().url, schema });
      return openIn(schema, options);
    },
    reopen: openAgain,
    another: openAgain,
    async restore(log, lose, options) {
      const schema = schemas.get(log) as string;
      await using backup = await tableCopies(schema);
      await lose();
      await backup.restore();
      await renewPostgres({ url: server().url, schema });
      return openIn(schema, options);
    },
  });
}

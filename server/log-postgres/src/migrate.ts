import { Connection, connectionConfig, storeError } from './database.ts';
import { postgresDefaults, type PostgresOptions } from './options.ts';
import { migrateSchema, renewIdentity } from './schema.ts';

/**
 * Creates the schema and the tables of an event log, or migrates them to this version. Either the whole migration is done or nothing is changed, even
 * if several processes do this at the same time. Nodes of the previous version can continue only if the CHANGELOG of the new version says so.
 * @throws EventLogError `version` if a newer version of this package made the tables, `failed` if the server cannot be used
 */
export async function migratePostgres(options: PostgresOptions): Promise<void> {
  await asOperator(options, (client, schema) => migrateSchema(client, schema));
}

/**
 * Marks a database as restored from a backup: gives the log a new identity, so that clients whose cursors are after the end of the backup are
 * notified of the gap. Call this function after the restore, before the first node opens the log.
 * @throws EventLogError `version` if the tables are missing or belong to another version of this package; `failed` if the server cannot be used.
 */
export async function renewPostgres(options: PostgresOptions): Promise<void> {
  await asOperator(options, renewIdentity);
}

/** Runs work over a separate connection without time limits, because changes to large tables may take a long time. */
async function asOperator(
  options: PostgresOptions,
  work: (client: Connection, schema: string) => Promise<void>,
): Promise<void> {
  try {
    const client = new Connection({ ...connectionConfig(options), statement_timeout: 0, query_timeout: 0 });
    try {
      await client.connect();
      await work(client, options.schema ?? postgresDefaults.schema);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw storeError(error);
  }
}

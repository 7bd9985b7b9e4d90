import { Connection, connectionConfig, storeError } from './database.ts';
import { postgresDefaults, type PostgresOptions } from './options.ts';
import { migrateSchema } from './schema.ts';

/**
 * Creates the schema and the tables of an event log, or brings them up to this version. All or nothing, also if several processes do it at once.
 * Nodes of the version before go on only if the CHANGELOG of the new version says so.
 * @throws EventLogError `version` if a newer version of this package made the tables, `failed` if the server cannot be used.
 */
export async function migratePostgres(options: PostgresOptions): Promise<void> {
  try {
    // Changes of large tables may take long.
    const client = new Connection({ ...connectionConfig(options), statement_timeout: 0, query_timeout: 0 });
    try {
      await client.connect();
      await migrateSchema(client, options.schema ?? postgresDefaults.schema);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw storeError(error);
  }
}

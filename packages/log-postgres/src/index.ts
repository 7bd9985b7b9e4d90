export { type PostgresOptions, postgresDefaults } from './database.ts';
export type { DurabilityWarning } from './durability.ts';
export { migratePostgres } from './migrate.ts';
export { DEFAULT_RETRY_MS, openPostgresEventLog, type PostgresEventLogOptions } from './postgres-event-log.ts';

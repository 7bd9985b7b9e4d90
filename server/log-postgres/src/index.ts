export { migratePostgres, renewPostgres } from './migrate.ts';
export { type DurabilityWarning, postgresDefaults, type PostgresOptions } from './options.ts';
export { DEFAULT_RETRY_MS, openPostgresEventLog, type PostgresEventLogOptions } from './postgres-event-log.ts';

export { migratePostgres, renewPostgres } from './migrate.ts';
export { type DurabilityWarning, postgresDefaults, type PostgresOptions } from './options.ts';
export { openPostgresEventLog, type PostgresEventLogOptions } from './postgres-event-log.ts';

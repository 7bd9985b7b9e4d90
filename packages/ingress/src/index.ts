export {
  type Account,
  type AccountEntry,
  type Accounts,
  createAccounts,
  parseAccounts,
  type Role,
} from './auth/accounts.ts';
export { createIngress, type Ingress, type IngressBindings, type IngressOptions } from './ingress.ts';
export {
  type Appended,
  DEFAULT_MAX_EVENT_AGE_MS,
  DEFAULT_MAX_STREAM_BYTES,
  type EventLog,
  type EventLogOptions,
  type EventPage,
  type NewEvent,
  type ReadLimits,
  type Retention,
  type StoredEvent,
} from './log/event-log.ts';
export { EventLogError, type EventLogErrorCode } from './log/event-log-error.ts';
export { createMemoryEventLog } from './log/memory-event-log.ts';
export { openSqliteEventLog, type SqliteEventLogOptions } from './log/sqlite-event-log.ts';
export { openAccountsFile } from './node/accounts-file.ts';
export { type IngressServer, serve, type ServeOptions } from './node/serve.ts';
export type { EventSink, OpenedSink, OpenSink } from './stream/event-sink.ts';

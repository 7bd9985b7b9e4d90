export {
  type Account,
  type AccountEntry,
  type Accounts,
  AccountsError,
  createAccounts,
  parseAccounts,
  type Role,
} from './auth/accounts.ts';
export { DEFAULT_MAX_TICKETS_PER_ACCOUNT, DEFAULT_TICKET_MS } from './auth/tickets.ts';
export { DEFAULT_WORKER_TOKEN_MS } from './auth/worker-tokens.ts';
export {
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_MAX_STORED_SESSIONS,
  DEFAULT_MAX_STREAMS,
  MAX_ANSWER_SPARE_BYTES,
} from './http/ingress-context.ts';
export { DEFAULT_KEEPALIVE_MS, type IngressOptions } from './ingress-options.ts';
export { createIngress, type Ingress, type IngressBindings } from './ingress.ts';
export { MAX_PAYLOAD_DEPTH, MAX_PAYLOAD_MEMBERS, MAX_PAYLOAD_VALUES } from './json/payload-limits.ts';
export {
  type Appended,
  DEFAULT_MAX_EVENT_AGE_MS,
  DEFAULT_MAX_STREAM_BYTES,
  DEFAULT_MAX_TOTAL_BYTES,
  type EventLog,
  EventLogError,
  type EventLogErrorCode,
  type EventLogOptions,
  type EventPage,
  type KnownEvent,
  type NewEvent,
  type ReadLimits,
  type Retention,
  type StoredEvent,
  type Usage,
} from './log/event-log.ts';
export { createMemoryEventLog } from './log/memory-event-log.ts';
export { openSqliteEventLog, type SqliteEventLogOptions } from './log/sqlite-event-log.ts';
export type { EventLogWarning } from './log/store-file.ts';
export { acceptUpgrade, type AcceptUpgradeOptions, type UpgradeHandler } from './node/accept-upgrade.ts';
export { openAccountsFile } from './node/accounts-file.ts';
export {
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_REQUEST_TIMEOUT_MS,
  type IngressServer,
  serve,
  type ServeOptions,
} from './node/serve.ts';
export {
  DEFAULT_MAX_BYTES_PER_SECOND,
  DEFAULT_MAX_REQUESTS_PER_SECOND,
  MAX_APPROVER_BYTES_PER_SECOND,
  MAX_VIEWER_BYTES_PER_SECOND,
} from './rate/rate-limit.ts';
export type { AgentFailure, SessionAgents } from './session/session-context.ts';
export { SkippedError } from './session/skipped.ts';
export type { AcceptedSocket, AcceptSocket } from './socket/socket-routes.ts';
export { DEFAULT_STALL_TIMEOUT_MS } from './stream/event-reader.ts';
export type { EndReason, EventSink, OpenedSink, OpenSink } from './stream/event-sink.ts';

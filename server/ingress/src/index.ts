export {
  type Account,
  type AccountEntry,
  type Accounts,
  AccountsError,
  type AccountsWithInternal,
  addInternalAccount,
  createAccounts,
} from './auth/accounts.ts';
export { createIngress, type Ingress } from './ingress.ts';
export type { IngressLimits, IngressOptions } from './ingress-options.ts';
export { createMemoryEventLog } from './log/memory-event-log.ts';
export { openSqliteEventLog, type SqliteEventLogOptions } from './log/sqlite-event-log.ts';
export { acceptUpgrade } from './node/accept-upgrade.ts';
export { openAccountsFile } from './node/accounts-file.ts';
export { type IngressServer, listen, type ListenLimits, type ListenOptions } from './node/listen.ts';
export type { NotifyOptions, SettledQuestionData, WaitingQuestionData } from './notify/notify-options.ts';
export { WebhookError } from './notify/webhook.ts';
export type { AgentFailure, SessionAgents } from './session/session-context.ts';
export { SkippedError } from './session/skipped.ts';
export type { AcceptSocket } from './socket/socket-routes.ts';
export type { EventSink, OpenSink } from './stream/event-sink.ts';

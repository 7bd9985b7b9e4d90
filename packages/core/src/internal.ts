/** What the packages of this project share with each other. Any version may change it without notice: each package is made for one exact version of core. */
export type * from './framing/platform-types.ts';
export { issueText } from './errors.ts';
export type * from './messages/message-types.ts';
export type * from './messages/message-unions.ts';
export type * from './messages/unknown-message.ts';
export { JsonCursor, JsonCursorError, type PassedValue } from './json/json-cursor.ts';
export { byteLength } from './framing/utf8.ts';
export {
  type Checked,
  checkControlRequest,
  checkElicitationResult,
  checkHookCallback,
  checkHookOutput,
  checkInterruptReceipt,
  checkMcpAnswer,
  checkPermissionRequest,
  checkPermissionResult,
  schemaOf,
} from './session/control-checks.ts';
export type { AnswerTo, NotInferred, Undeclared } from './session/declared-requests.ts';
export { type ControlRequestFrame, requestIdOf } from './session/control-frames.ts';
export { failedResult } from './session/failed-result.ts';
export { isRecord } from './session/is-record.ts';
export type { LaunchFlags } from './session/launch-flags.ts';
export type { PendingRequest } from './session/pending-requests.ts';
export { countUntil } from './session/served-request.ts';
export type { CheckedMessage } from './session/session-options.ts';
export { classifyInput, STDIN_RULES } from './session/stdin-rules.ts';
export type { SessionMalformed } from './session/unread.ts';
export { Uuids } from './session/uuids.ts';
export { Waiters } from './session/waiters.ts';
export { callBack } from './transport/call-back.ts';
export { messageOf } from './transport/coded-error.ts';
export { createDeferred } from './transport/deferred.ts';
export { incomingOf, mapIncoming } from './transport/map-incoming.ts';
export { onAbort } from './transport/on-abort.ts';
export { RecentIds } from './transport/recent-ids.ts';
export {
  answeredRequest,
  authLine,
  isControlType,
  KEEP_ALIVE,
  KEEP_ALIVE_LINE,
  tokenOfAuthLine,
  typeOf,
} from './transport/wire-lines.ts';
export type { TransportExtensions } from './transport/transport-extensions.ts';
export { askFor, askForCredential } from './transport/reconnect/credential.ts';
export { type Deadline, sleep, within, withDeadline } from './transport/reconnect/deadline.ts';
export {
  type Failure,
  RetryLoop,
  type RetryLoopOptions,
  type RetryVerdict,
} from './transport/reconnect/retry-loop.ts';
export {
  MAX_RETRY_AFTER_MS,
  meaningOfStatus,
  retryAfterMs,
  type RetryAction,
  type RetryMeaning,
} from './transport/reconnect/retry-policy.ts';
export { parseAddress, refuseCredentials } from './transport/address.ts';
export {
  type BackoffOptions,
  DEFAULT_BACKOFF_BASE_MS,
  DEFAULT_BACKOFF_CAP_MS,
  DEFAULT_BACKOFF_JITTER,
} from './transport/reconnect/backoff.ts';
export type { AttemptReason, ClientOptions } from './transport/reconnect/credential.ts';
export {
  DEFAULT_CONNECT_TIMEOUT_MS,
  DEFAULT_MAX_DOWN_MS,
  DEFAULT_MAX_OPENING_MS,
  type FirstAttempt,
} from './transport/reconnect/retry-loop.ts';
export { type Clock, systemClock } from './transport/clock.ts';
export { DEFAULT_FALLBACK_AFTER_MS } from './transport/connect.ts';
export { type ConnectFailure, connectFailureOf } from './transport/connect-failure.ts';
export { DEFAULT_MAX_INCOMING_BYTES } from './transport/define-transport.ts';
export type { TransportErrorOptions } from './transport/error.ts';
export { withMessageId, type IdentifiedMessage } from './transport/message-id.ts';
export type { MemoryOptions, MemoryPair } from './transport/memory.ts';
export type { RelayEnd, RelayOptions, RelaySide } from './transport/relay.ts';
export { DEFAULT_MAX_REPLAY_BYTES, type ReplayBuffer, type ReplayEntry } from './transport/replay-buffer.ts';
export type { Resumption, Retained, RetainingTransport } from './transport/resumable-transport.ts';
export type {
  IncomingLink,
  IncomingMalformed,
  IncomingNotice,
  Outgoing,
  ReadResult,
  SendOptions,
} from './transport/transport.ts';
export { type RequestSecrets, withoutSecrets } from './transport/without-secrets.ts';
export type { Liveness, WatchableTransport } from './transport/watchable-transport.ts';
export type { WorkerLink } from './transport/worker-transport.ts';

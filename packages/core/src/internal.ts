/**
 * What the packages of this project share with each other. Any version may change it without notice: each package is made for one exact
 * version of core.
 */
export { issueText } from './errors.ts';
export type * from './framing/platform-types.ts';
export { cutText } from './framing/cut-text.ts';
export { splitAtNul } from './framing/split-at-nul.ts';
export { byteLength } from './framing/utf8.ts';
export { parseConfig, RepeatedNameError } from './framing/parse-config.ts';
export { JsonCursor, JsonCursorError, type PassedValue } from './json/json-cursor.ts';
export { isTooDeep, JsonDepthError, MAX_JSON_DEPTH, parseJson } from './framing/parse-json.ts';
export {
  checkControlRequest,
  type Checked,
  checkElicitationResult,
  checkHookCallback,
  checkHookOutput,
  checkInterruptReceipt,
  checkMcpAnswer,
  checkPermissionRequest,
  checkPermissionResult,
  schemaOf,
} from './session/control-checks.ts';
export { type ControlRequestFrame, isRecord, requestIdOf } from './session/control-frames.ts';
export { failedResult } from './session/failed-result.ts';
export type { WatchedRequestOptions } from './session/pending-request.ts';
export { requireText, textError } from './session/require-text.ts';
export { countUntil } from './session/served-request.ts';
export type { CheckedMessage } from './session/session-options.ts';
export { classifyInput, STDIN_RULES } from './session/stdin-rules.ts';
export { callBack, onAbort } from './transport/async/callbacks.ts';
export { type Deadline, sleep, systemClock, withDeadline, within } from './transport/async/deadline.ts';
export { checkDurations, LONGEST_TIMER_MS, setTimer, type Timer } from './transport/async/timer.ts';
export { createDeferred, Waiters } from './transport/async/deferred.ts';
export { messageOf } from './transport/coded-error.ts';
export { parseAddress, refuseCredentials } from './transport/connect/address.ts';
export { type ConnectFailure, connectFailureOf } from './transport/connect/connect-failure.ts';
export { DEFAULT_FALLBACK_AFTER_MS } from './transport/connect/connect.ts';
export { type RequestSecrets, withoutSecrets } from './transport/connect/without-secrets.ts';
export { DEFAULT_MAX_INCOMING_BYTES } from './transport/define-transport.ts';
export { findTransportError, type TransportErrorOptions } from './transport/error.ts';
export { type IdentifiedMessage, withMessageId } from './transport/lines/message-id.ts';
export { type SettledRequest, settledRequestOf } from './transport/lines/settled-request.ts';
export { Uuids } from './transport/lines/uuids.ts';
export {
  answeredRequest,
  authLine,
  isControlType,
  KEEP_ALIVE,
  KEEP_ALIVE_LINE,
  tokenOfAuthLine,
  typeOf,
} from './transport/lines/wire-lines.ts';
export type { MemoryOptions, MemoryPair } from './transport/memory.ts';
export { RecentIds } from './transport/queues/recent-ids.ts';
export { DEFAULT_MAX_REPLAY_BYTES, type ReplayBuffer, type ReplayEntry } from './transport/queues/replay-buffer.ts';
export {
  DEFAULT_BACKOFF_BASE_MS,
  DEFAULT_BACKOFF_CAP_MS,
  DEFAULT_BACKOFF_JITTER,
} from './transport/reconnect/backoff.ts';
export { askFor, askForCredential } from './transport/reconnect/credential.ts';
export {
  DEFAULT_CONNECT_TIMEOUT_MS,
  DEFAULT_MAX_DOWN_MS,
  DEFAULT_MAX_OPENING_MS,
  DEFAULT_SILENCE_MS,
  type Failure,
  RetryPolicy,
  type RetryPolicyOptions,
  type RetryVerdict,
} from './transport/reconnect/retry-policy.ts';
export {
  MAX_RETRY_AFTER_MS,
  meaningOfStatus,
  type RetryAction,
  retryAfterMs,
  type RetryMeaning,
} from './transport/reconnect/response-status.ts';
export { isLogName, numberedCursor, type NumberedPlace, parseNumberedCursor } from './transport/numbered-cursor.ts';
export type { RelayOptions, RelaySide } from './transport/relay.ts';
export type {
  Liveness,
  Resumption,
  Retained,
  TransportExtensions,
  WorkerLink,
} from './transport/transport-extensions.ts';
export type {
  IncomingMalformed,
  IncomingNotice,
  Outgoing,
  ReadResult,
  SendOptions,
} from './transport/transport.ts';
export { incomingOf, mapIncoming } from './transport/wrap-transport.ts';
export { VERSION } from './version.ts';

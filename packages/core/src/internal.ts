/**
 * Functions that `@proto/host` and `@proto/agent` share with core, and a few helpers for packages that are released together with them. Any version
 * may change this entry without notice, because each of these packages is built for one exact version of core. Transports do not need this entry,
 * because `@proto/core/network` contains their tools.
 */
export { issueText } from './errors.ts';
export type * from './framing/platform-types.ts';
export { splitAtNul } from './framing/split-at-nul.ts';
export { byteLength } from './framing/utf8.ts';
export { parseConfig, RepeatedNameError } from './framing/parse-config.ts';
export { isTooDeep, MAX_JSON_DEPTH } from './framing/parse-json.ts';
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
// A host or an agent does not load the network entry, so this entry exports these functions too.
export { callBack, onAbort } from './transport/async/callbacks.ts';
export { within } from './transport/async/deadline.ts';
export { checkDurations, LONGEST_TIMER_MS, setTimer, type Timer } from './transport/async/timer.ts';
export { createDeferred, Waiters } from './transport/async/deferred.ts';
export { messageOf } from './transport/coded-error.ts';
export { Uuids } from './transport/lines/uuids.ts';
export type { MemoryOptions, MemoryPair } from './transport/memory.ts';
export { RecentIds } from './transport/queues/recent-ids.ts';
export type { RelayOptions, RelaySide } from './transport/relay.ts';
export type {
  Liveness,
  Resumption,
  Unacknowledged,
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

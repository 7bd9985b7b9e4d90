/**
 * Tools for transports over a network. These tools decide when to retry, ask for credentials, set deadlines, number and resend messages, keep links
 * alive, and remove secrets from errors. `@proto/core/reconnect` combines these tools into a transport that reconnects and resumes, as
 * docs/write-a-transport.md shows.
 */
export { JsonCursor } from './json/json-cursor.ts';
export { onAbort } from './transport/async/callbacks.ts';
export { sleep, systemClock, withDeadline } from './transport/async/deadline.ts';
export { checkDurations, LONGEST_TIMER_MS, setTimer, type Timer } from './transport/async/timer.ts';
export { withMessageId } from './transport/lines/message-id.ts';
export { settledRequestOf } from './transport/lines/settled-request.ts';
export { KEEP_ALIVE_LINE } from './transport/lines/wire-lines.ts';
export { parseAddress, refuseCredentials } from './transport/network/address.ts';
export { connectFailureOf } from './transport/network/connect-failure.ts';
export { type Heartbeat, startHeartbeat } from './transport/network/heartbeat.ts';
export { isLogName, numberedCursor, parseNumberedCursor } from './transport/network/numbered-cursor.ts';
export { type RequestSecrets, withoutSecrets } from './transport/network/without-secrets.ts';
export { createReplayBuffer, type ReplayBuffer, type ReplayEntry } from './transport/queues/replay-buffer.ts';
export { askFor, askForCredential } from './transport/reconnect/credential.ts';
export { meaningOfStatus, retryAfterMs, type RetryMeaning } from './transport/reconnect/response-status.ts';
export {
  type AttemptFailure,
  createRetryPolicy,
  type RetryPolicy,
  type RetryPolicyOptions,
} from './transport/reconnect/retry-policy.ts';
export { toTransportError } from './transport/error.ts';

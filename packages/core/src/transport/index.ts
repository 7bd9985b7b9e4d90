export type * from '../framing/platform-types.ts';
export { parseAddress, refuseCredentials } from './address.ts';
export {
  type BackoffOptions,
  backoffMs,
  DEFAULT_BACKOFF_BASE_MS,
  DEFAULT_BACKOFF_CAP_MS,
  DEFAULT_BACKOFF_JITTER,
} from './reconnect/backoff.ts';
export type { AttemptReason, ClientOptions, Credential, PerAttempt } from './reconnect/credential.ts';
export {
  DEFAULT_CONNECT_TIMEOUT_MS,
  DEFAULT_MAX_DOWN_MS,
  DEFAULT_MAX_OPENING_MS,
  type FirstAttempt,
  type RetryOptions,
} from './reconnect/retry-loop.ts';
export { batchOf } from './batch.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  connect,
  type ConnectOptions,
  DEFAULT_FALLBACK_AFTER_MS,
  type SessionScheme,
} from './connect.ts';
export { type ConnectFailure, connectFailureOf } from './connect-failure.ts';
export { connectTransport, type TransportScheme } from './connect-transport.ts';
export { DEFAULT_MAX_INCOMING_BYTES, defineTransport, type TransportOptions } from './define-transport.ts';
export { TransportError, type TransportErrorCode, type TransportErrorOptions } from './error.ts';
export { identified, type IdentifiedMessage } from './identified.ts';
export { each, incomingLines, incomingMessage } from './incoming.ts';
export { createMemoryPair, type MemoryOptions, type MemoryPair } from './memory.ts';
export { relay, type RelayEnd, type RelayOptions, type RelaySide } from './relay.ts';
export { createReplayBuffer, DEFAULT_MAX_REPLAY_BYTES, type ReplayBuffer, type ReplayEntry } from './replay-buffer.ts';
export {
  isResumable,
  isRetaining,
  type ResumableTransport,
  type Resumption,
  type Retained,
  type RetainingTransport,
} from './resumable-transport.ts';
export type {
  Batch,
  Cursor,
  Incoming,
  IncomingLink,
  IncomingMalformed,
  IncomingMessage,
  IncomingNotice,
  Outgoing,
  ReadResult,
  SendOptions,
  Transport,
  TransportClose,
  TransportControl,
  TransportDriver,
} from './transport.ts';
export { type RequestSecrets, withoutSecrets } from './without-secrets.ts';
export { isWatchable, type Liveness, type WatchableTransport } from './watchable-transport.ts';
export { isWorker, type WorkerLink, type WorkerTransport } from './worker-transport.ts';
export { wrapTransport } from './wrap-transport.ts';

/**
 * The parts of a transport that reconnects and resumes, and the options that all such transports share: address, credential and attempts.
 */
export type { Clock } from '../async/deadline.ts';
export { backoffMs, type BackoffOptions } from './backoff.ts';
export { createConnection } from './connection.ts';
export type {
  Codec,
  Connection,
  ConnectionEvents,
  ConnectionOptions,
  Link,
  ResumableConnection,
} from './connection-parts.ts';
export type { AttemptReason, ClientOptions, Credential, PerAttempt } from './credential.ts';
export { createNumberedStreams, type NumberedStreams, type StreamGreeting } from './numbered-streams.ts';
export { createReconnector, type Reconnector, type ReconnectorOptions } from './reconnector.ts';
export type { RetryOptions } from './retry-policy.ts';

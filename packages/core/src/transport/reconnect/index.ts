/**
 * What a transport that reconnects and resumes is made of, and the options that all of them share: where to connect, as whom, and how often to try.
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

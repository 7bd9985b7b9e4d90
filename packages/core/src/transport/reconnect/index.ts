/** The options that clients of network transports share: where to connect, as whom, and how often to try. */
export type { Clock } from '../async/deadline.ts';
export { backoffMs, type BackoffOptions } from './backoff.ts';
export type { AttemptReason, ClientOptions, Credential, PerAttempt } from './credential.ts';
export type { FirstAttempt, RetryOptions } from './retry-policy.ts';

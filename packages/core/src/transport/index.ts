export type * from '../framing/platform-types.ts';
export { backoffMs } from './reconnect/backoff.ts';
export type { Credential, PerAttempt } from './reconnect/credential.ts';
export type { RetryOptions } from './reconnect/retry-loop.ts';
export { encodeBatch } from './batch.ts';
export { connect, type ConnectOptions, type SessionScheme } from './connect.ts';
export { connectTransport, type TransportScheme } from './connect-transport.ts';
export { defineTransport, type TransportOptions } from './define-transport.ts';
export { TransportError, type TransportErrorCode } from './error.ts';
export { flattenIncoming, incomingLines, incomingMessage } from './incoming.ts';
export { createMemoryPair } from './memory.ts';
export { relay } from './relay.ts';
export { createReplayBuffer } from './replay-buffer.ts';
export { isResumable, isRetaining, type ResumableTransport } from './resumable-transport.ts';
export type {
  Batch,
  Cursor,
  Incoming,
  IncomingMessage,
  Transport,
  TransportClose,
  TransportControl,
  TransportDriver,
} from './transport.ts';
export { isWatchable } from './watchable-transport.ts';
export { isWorker, type WorkerTransport } from './worker-transport.ts';
export { wrapTransport } from './wrap-transport.ts';

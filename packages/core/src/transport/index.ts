export type * from '../framing/platform-types.ts';
export {
  connectSession,
  type ConnectSessionOptions,
  connectUri,
  type SessionScheme,
  type TransportScheme,
} from './connect/connect.ts';
export { defineTransport, type TransportOptions } from './define-transport.ts';
export { findError } from './coded-error.ts';
export { TransportError, type TransportErrorCode } from './error.ts';
export { encodeBatch } from './lines/batch.ts';
export { flattenIncoming, incomingLines, incomingMessage } from './lines/incoming.ts';
export { createMemoryPair } from './memory.ts';
export { relay, type RelayEnd } from './relay.ts';
export {
  isResumable,
  isReplayable,
  isWatchable,
  isWorker,
  type ResumableTransport,
  type ReplayableTransport,
  type WatchableTransport,
  type WorkerTransport,
} from './transport-extensions.ts';
export type {
  Batch,
  Cursor,
  Incoming,
  IncomingLink,
  IncomingMessage,
  Transport,
  TransportClose,
  TransportControl,
  TransportDriver,
} from './transport.ts';
export { wrapTransport } from './wrap-transport.ts';

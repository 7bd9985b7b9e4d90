export {
  type AcceptingOptions,
  type AcceptingTransport,
  createAcceptingTransport,
  DEFAULT_MAX_AWAY_MS,
  selectProtocol,
} from './accept.ts';
export { DEFAULT_MAX_FRAME_LINES } from './frame-decoder.ts';
export { streamOfGreeting } from './greeting.ts';
export { DEFAULT_MAX_BUFFERED_BYTES, DEFAULT_FAIL_ABOVE_BYTES, type LinkDriverOptions } from './link-driver-options.ts';
export {
  createLogLink,
  DEFAULT_BEGIN_TIMEOUT_MS,
  DEFAULT_MAX_LINK_BYTES,
  type LogLink,
  type LogLinkEvents,
  type ReceivedLine,
} from './log-link.ts';
export { loggedLine, noticeLine } from './numbered-lines.ts';
export type { ReconnectingOptions } from './reconnecting-options.ts';
export { createReconnectingTransport } from './reconnecting-transport.ts';
export {
  type OpenSocket,
  RESUMABLE_PROTOCOL,
  type SocketEvent,
  type SocketLike,
  type SocketRequest,
} from './socket.ts';
export { DEFAULT_SILENCE_MS, type LinkOptions } from './socket-link.ts';
export { createSocketTransport, type SocketOptions } from './socket-transport.ts';
export { webSocketScheme, type WebSocketSchemeOptions } from './web-socket-scheme.ts';
export { type CorkableSocket, withConnection } from './with-connection.ts';

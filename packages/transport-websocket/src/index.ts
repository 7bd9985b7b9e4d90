export {
  type AcceptingOptions,
  type AcceptingTransport,
  createAcceptingTransport,
  DEFAULT_MAX_AWAY_MS,
  selectProtocol,
} from './accepting-transport.ts';
export { DEFAULT_MAX_FRAME_LINES } from './socket/frame-decoder.ts';
export { type ConnectionOptions, DEFAULT_FAIL_ABOVE_BYTES, DEFAULT_MAX_BUFFERED_BYTES } from './connection-options.ts';
export {
  createLogLink,
  DEFAULT_BEGIN_TIMEOUT_MS,
  DEFAULT_MAX_LINK_BYTES,
  type LogLink,
  type LogLinkEvents,
  type LogLinkOptions,
  type ReceivedLine,
} from './log-link.ts';
export { loggedLine, noticeLine, streamOfGreeting } from './codec/numbered-lines.ts';
export { createReconnectingTransport } from './client/reconnecting-transport.ts';
export type { ReconnectingOptions } from './client/socket-request.ts';
export {
  GREETING_PARAMETER,
  type OpenSocket,
  RESUMABLE_PROTOCOL,
  type SocketEvent,
  type SocketLike,
  type SocketRequest,
} from './socket/socket.ts';
export type { LinkOptions } from './socket/socket-link.ts';
export { createSocketTransport, type SocketOptions } from './socket-transport.ts';
export { webSocketScheme, type WebSocketSchemeOptions } from './client/web-socket-scheme.ts';
export { type CorkableSocket, withConnection } from './socket/with-connection.ts';

export { webSocket, type WebSocketSessionOptions } from './client/web-socket.ts';
export {
  type WebSocketServerOptions,
  type WebSocketServerTransport,
  createWebSocketServerTransport,
  selectProtocol,
} from './web-socket-server-transport.ts';
export { type ConnectionOptions } from './connection-options.ts';
export {
  createServerConnection,
  type ServerConnection,
  type ServerConnectionEvents,
  type ServerConnectionOptions,
  type ReceivedLine,
} from './server-connection.ts';
export { loggedLine, noticeLine, parseGreeting } from './codec/numbered-lines.ts';
export { createWebSocketClientTransport } from './client/web-socket-client-transport.ts';
export type { WebSocketClientOptions } from './client/socket-request.ts';
export {
  GREETING_PARAMETER,
  type OpenSocket,
  RESUMABLE_PROTOCOL,
  type SocketEvent,
  type SocketLike,
  type SocketRequest,
} from './socket/socket.ts';
export type { LinkOptions } from './socket/socket-link.ts';
export { createWebSocketTransport, type WebSocketOptions } from './web-socket-transport.ts';
export { webSocketScheme, type WebSocketSchemeOptions } from './client/web-socket-scheme.ts';
export { type CorkableSocket, withCorking } from './socket/with-corking.ts';

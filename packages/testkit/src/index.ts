export { type FaultProxy, startFaultProxy } from './fault-proxy/fault-proxy.ts';
export type { Cut, ProxyFaults } from './fault-proxy/proxied-connection.ts';
export { resetSocket } from './fault-proxy/reset-socket.ts';
export { createFaultyWire, type FaultyWireOptions, type WireFault } from './faulty-wire.ts';
export { type LoopbackServer, serveOnLoopback } from './loopback-server.ts';
export type { ApiRequest, MessagesBody } from './messages-api/api-request.ts';
export {
  createMessagesApi,
  type MessagesApi,
  type MessagesApiOptions,
  type MessagesScript,
} from './messages-api/messages-api.ts';
export type { ApiError, ErrorReply, MessageReply, Reply, ReplyBlock, ReplyStep } from './messages-api/script.ts';

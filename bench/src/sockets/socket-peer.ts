import type { WebSocket } from 'ws';
import type { RpcClient } from '../rpc/stream-peer.ts';

/** Both ends of a library over a WebSocket. */
export interface SocketPeer {
  /** The subprotocol that the upgrade offers. */
  readonly protocols?: readonly string[];
  /** True if every message is compressed. */
  readonly deflate?: boolean;
  /** Answers each request of the other end. */
  serve(socket: WebSocket): unknown;
  connect(socket: WebSocket): Promise<RpcClient>;
  /** Returns a function that sends one message. The caller awaits the returned promises, 50 at a time. */
  openSender(socket: WebSocket): (message: object) => unknown;
  /** Reads messages, and calls back with the number that arrived. */
  receive(socket: WebSocket, onMessages: (count: number) => void): unknown;
}

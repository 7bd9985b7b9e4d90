import type { WebSocket } from 'ws';
import type { RpcClient } from '../rpc/stream-peer.ts';

/** A way to use a WebSocket, both ends. */
export interface SocketPeer {
  /** Offered in the upgrade. */
  readonly protocols?: readonly string[];
  /** Every message is compressed. */
  readonly deflate?: boolean;
  /** Answers each request of the other end. */
  serve(socket: WebSocket): unknown;
  connect(socket: WebSocket): Promise<RpcClient>;
  /** Gives what sends one message; what that returns is waited for, 50 at a time. */
  openSender(socket: WebSocket): (message: object) => unknown;
  /** Reads messages and calls back with how many came. */
  receive(socket: WebSocket, onMessages: (count: number) => void): unknown;
}

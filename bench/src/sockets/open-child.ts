import type { ChildProcess } from 'node:child_process';
import { withCorking } from '@proto/transport-websocket';
import { WebSocket } from 'ws';
import { startServer } from '../server-child.ts';
import type { SocketPeer } from './socket-peer.ts';

/** A server in a child process, and a socket to the server that is being opened. Add listeners to the socket before you await anything. */
export interface SocketChild {
  readonly child: ChildProcess;
  open(peer: Pick<SocketPeer, 'protocols' | 'deflate'>): WebSocket;
}

/** Starts the case `socket-server`. */
export async function openSocketChild(task: 'rpc' | 'send', name: string): Promise<SocketChild> {
  const { child, port } = await startServer('socket-server', task, name);
  return {
    child,
    open({ protocols = [], deflate = false }) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, [...protocols], { perMessageDeflate: deflate });
      return socket.once('upgrade', ({ socket: connection }) => withCorking(socket, connection));
    },
  };
}

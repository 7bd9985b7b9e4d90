import type { SocketLike } from './socket.ts';

/** A socket that can keep frames back, to hand over many of them in one write. */
export type CorkableSocket = Required<Pick<SocketLike, 'cork' | 'uncork'>>;

/**
 * Gives a socket of `ws` the connection that was upgraded for it, which `ws` keeps to itself. Without it every frame is a write of its
 * own, which is half of what it costs to send a small message (measured).
 */
export function withConnection<Socket extends object>(
  socket: Socket,
  connection: CorkableSocket,
): Socket & CorkableSocket {
  return Object.assign(socket, { cork: () => connection.cork(), uncork: () => connection.uncork() });
}

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns a function that closes the connections over which nothing has arrived. Browsers and HTTP clients open some in advance. Node does not count
 * them as idle, so a server that closes would wait for them.
 */
export function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  function forget(this: Socket): void {
    unused.delete(this);
  }
  // A connection in use has no listener of this, which would take memory as long as it is open.
  const use = ({ socket }: IncomingMessage) => void (unused.delete(socket) && socket.off('close', forget));
  server.on('connection', (socket: Socket) => unused.add(socket.on('close', forget)));
  server.on('request', use);
  server.on('upgrade', use);
  return () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { resetSocket } from '@proto/testkit';
import { selectProtocol } from '@proto/transport-websocket';
import { type WebSocket, WebSocketServer } from 'ws';

/** A WebSocket server on this machine whose links can be made to fail. */
export interface Loopback {
  readonly url: string;
  /** Answers later upgrades with this status; with undefined it accepts them again. */
  refuse(status: number | undefined): void;
  /** Resets every connection without a close frame. */
  cut(): void;
  /** Stops reading from the current connections, which stay open. */
  silence(): void;
  close(): Promise<void>;
}

/** Starts a server on this machine that passes the socket of every upgrade to `accept`. */
export async function loopback(accept: (socket: WebSocket, url: string) => void): Promise<Loopback> {
  const server: Server = createServer();
  const sockets = new Set<Socket>();
  const upgrades = new WebSocketServer({ noServer: true, handleProtocols: (offered) => selectProtocol(offered) });
  let status: number | undefined;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket, head) => {
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`);
    upgrades.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, request.url ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    refuse: (next) => (status = next),
    cut() {
      for (const socket of sockets) resetSocket(socket);
    },
    silence() {
      for (const socket of sockets) socket.pause().removeAllListeners('data');
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

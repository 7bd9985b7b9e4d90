import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { resetSocket } from '@proto/testkit';
import { selectProtocol } from '@proto/transport-websocket';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketServer } from '../../contract/web-socket-transports.ts';

export type SocketEnd = 'client' | 'server';

/** A request for an upgrade that has not been answered. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

const SESSION_GONE = 4001;
const HIGH_WATER_BYTES = 64 * 1024;
const server = new WebSocketServer({ noServer: true, handleProtocols: selectProtocol, maxPayload: 256 * 1024 * 1024 });

/** The first frame that a socket of the server end receives. It says that a client has connected. */
const CONNECTED = 'connected';

/**
 * Lets a program that can only open sockets be both ends of a connection: each socket of its client end is joined with a socket of its server end.
 * The latter is opened before, because a browser opens only one socket at a time.
 */
export class SocketRelay implements Omit<SocketServer, 'url'> {
  readonly #joined = new Set<Socket>();
  /** Sockets that are not joined. */
  readonly #waiting = new Set<Socket>();
  #nextServer: WebSocket | undefined;
  #nextClient: Upgrade | undefined;
  #client: WebSocket | undefined;
  #answer: 'unreachable' | 'refused' | 'accepted' = 'accepted';
  #isSilent = false;

  arrive(end: SocketEnd, upgrade: Upgrade): void {
    const socket = upgrade.socket as Socket;
    socket.on('error', () => {});
    if (end === 'client' && this.#answer === 'unreachable') return resetSocket(socket);
    // A program does not see the status of a response, but it sees a close code.
    if (end === 'client' && this.#answer === 'refused') return accept(upgrade, (it) => it.close(SESSION_GONE));
    this.#waiting.add(socket);
    socket.once('close', () => {
      this.#waiting.delete(socket);
      this.#joined.delete(socket);
      // A client that has left must not be joined.
      if (this.#nextClient === upgrade) this.#nextClient = undefined;
    });
    if (end === 'client') this.#nextClient = upgrade;
    else accept(upgrade, (it) => (this.#nextServer = it.once('close', () => this.#forget(it))));
    this.#join();
  }

  answer(how: 'unreachable' | 'refused' | 'accepted'): void {
    this.#answer = how;
  }

  cut(): void {
    for (const socket of this.#joined) resetSocket(socket);
  }

  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#joined) socket.pause().removeAllListeners('data');
  }

  inject(text: string): void {
    this.#client?.send(text);
  }

  close(): void {
    for (const socket of [...this.#waiting, ...this.#joined]) socket.destroy();
  }

  #forget(socket: WebSocket): void {
    if (this.#nextServer === socket) this.#nextServer = undefined;
  }

  #join(): void {
    const [client, server] = [this.#nextClient, this.#nextServer];
    if (client === undefined || server === undefined) return;
    this.#nextClient = undefined;
    this.#nextServer = undefined;
    this.#isSilent = false;
    for (const socket of this.#waiting) this.#joined.add(socket);
    this.#waiting.clear();
    accept(client, (socket) => {
      this.#client = socket;
      server.send(CONNECTED);
      this.#pipe(socket, server);
      this.#pipe(server, socket);
    });
  }

  #pipe(from: WebSocket, to: WebSocket): void {
    from.on('error', () => {});
    from.on('message', (data, isBinary) => {
      if (this.#isSilent || to.readyState !== to.OPEN) return;
      to.send(data as Buffer, { binary: isBinary }, () => from.readyState === from.OPEN && from.resume());
      if (to.bufferedAmount > HIGH_WATER_BYTES) from.pause();
    });
    from.on('close', (code, reason) => {
      if (code === 1006) to.terminate();
      else if (code === 1005) to.close();
      else to.close(code, reason);
    });
  }
}

function accept({ request, socket, head }: Upgrade, use: (socket: WebSocket) => void): void {
  server.handleUpgrade(request, socket, head, use);
}

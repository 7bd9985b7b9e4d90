import type { Transport } from '@proto/core/transport';
import {
  type WebSocketServerTransport,
  createWebSocketServerTransport,
  createWebSocketTransport,
  RESUMABLE_PROTOCOL,
  parseGreeting,
} from '@proto/transport-websocket';
import type { WebSocket } from 'ws';
import { listen } from './listen.ts';

/** Where clients connect, and what is called for each of them. */
export interface ServeClientsOptions {
  /** The address to listen on, such as `127.0.0.1`, which only this machine can reach. */
  readonly hostname: string;
  /** The port. 0 selects a free port. */
  readonly port: number;
  /** The token that clients must send as `Authorization: Bearer`. Default: clients need no token. */
  readonly token?: string | undefined;
  /** How many clients may be connected at once. */
  readonly maxClients: number;
  /** Called with each new client. A client that reconnects after its link broke is not a new client. */
  readonly onClient: (client: Transport) => void;
}

/** A server whose clients are hosts, each over a WebSocket. */
export interface ClientServer {
  /** The address of the server: `ws://HOST:PORT`. */
  readonly url: string;
  /** The clients that have not ended, including clients whose link is down. */
  readonly clients: ReadonlySet<Transport>;
  /** Stops accepting clients. Connected clients are not closed. */
  close(): void;
}

// The close code that lets the other side try again later.
const BUSY = 1013;
const GREETING_MS = 15_000;

/**
 * Starts a server for clients. A socket that reconnects after its link broke continues its session. Any other socket is a new client. Rejects if the
 * address is in use.
 */
export async function serveClients(options: ServeClientsOptions): Promise<ClientServer> {
  const { hostname, port, token } = options;
  const sessions = new ClientSessions(options);
  const { url, close } = await listen({
    hostname,
    port,
    token,
    isFull: () => sessions.isFull,
    onSocket: (socket) => sessions.accept(socket),
  });
  return { url, clients: sessions.open, close };
}

/** A client of the resumable protocol is identified by the name in its greeting, and any other client by its socket. */
class ClientSessions {
  readonly open = new Set<Transport>();
  readonly #options: ServeClientsOptions;
  readonly #named = new Map<string, WebSocketServerTransport>();

  constructor(options: ServeClientsOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.open.size >= this.#options.maxClients;
  }

  accept(socket: WebSocket): void {
    // Without a listener, an error would end the process.
    socket.on('error', () => {});
    if (socket.protocol !== RESUMABLE_PROTOCOL) {
      if (this.isFull) return socket.close(BUSY);
      return this.#begin(createWebSocketTransport(socket));
    }
    const timer = setTimeout(() => socket.terminate(), GREETING_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.once('message', (data: Buffer, isBinary: boolean) => {
      clearTimeout(timer);
      const name = parseGreeting(data.toString());
      if (name === undefined) return socket.close(1002);
      this.#acceptNamed(socket, name);
      // The session reads the greeting as its first frame. It receives the socket in a microtask, so the frame is emitted in a later microtask.
      queueMicrotask(() => socket.emit('message', data, isBinary));
    });
  }

  #acceptNamed(socket: WebSocket, name: string): void {
    let session = this.#named.get(name);
    if (session === undefined) {
      if (this.isFull) return socket.close(BUSY);
      session = createWebSocketServerTransport();
      this.#named.set(name, session);
      void session.closed.then(() => this.#named.delete(name));
      this.#begin(session);
    }
    session.accept(socket);
  }

  #begin(client: Transport): void {
    this.open.add(client);
    void client.closed.then(() => this.open.delete(client));
    this.#options.onClient(client);
  }
}

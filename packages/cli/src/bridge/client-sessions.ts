import type { Transport } from '@proto/core/transport';
import {
  type AcceptingTransport,
  createAcceptingTransport,
  createSocketTransport,
  RESUMABLE_PROTOCOL,
  streamOfGreeting,
} from '@proto/transport-websocket';
import type { WebSocket } from 'ws';

/** What becomes of the sockets that come in. */
export interface ClientSessionsOptions {
  readonly maxSessions: number;
  /** A client that was not here before. */
  readonly onClient: (client: Transport) => void;
}

/** The clients of a listener: a socket that comes back goes to the session it left, any other begins a new one. */
export interface ClientSessions {
  readonly open: ReadonlySet<Transport>;
  accept(socket: WebSocket): void;
}

// The other side may try again when somebody has left.
const BUSY = 1013;
const GREETING_MS = 15_000;

/** Keeps the sessions of a listener. A client of the resumable mode is known by the name in its greeting, others are their socket. */
export function createClientSessions({ maxSessions, onClient }: ClientSessionsOptions): ClientSessions {
  const open = new Set<Transport>();
  const named = new Map<string, AcceptingTransport>();

  function begin(transport: Transport, onEnd = () => {}): void {
    open.add(transport);
    void transport.closed.then(() => {
      open.delete(transport);
      onEnd();
    });
    onClient(transport);
  }

  function acceptNamed(socket: WebSocket, name: string): void {
    let session = named.get(name);
    if (session === undefined) {
      if (open.size >= maxSessions) return socket.close(BUSY);
      session = createAcceptingTransport();
      named.set(name, session);
      begin(session, () => named.delete(name));
    }
    session.accept(socket);
  }

  return {
    open,
    accept(socket) {
      // Without a listener an error would end the process.
      socket.on('error', () => {});
      if (socket.protocol !== RESUMABLE_PROTOCOL) {
        if (open.size >= maxSessions) return socket.close(BUSY);
        return begin(createSocketTransport(socket));
      }
      const timer = setTimeout(() => socket.terminate(), GREETING_MS);
      socket.once('close', () => clearTimeout(timer));
      socket.once('message', (data: Buffer, isBinary: boolean) => {
        clearTimeout(timer);
        const name = streamOfGreeting(data.toString());
        if (name === undefined) return socket.close(1002);
        acceptNamed(socket, name);
        // Behind the opening, which a session hears of in a microtask: to it this is the first frame.
        queueMicrotask(() => socket.emit('message', data, isBinary));
      });
    },
  };
}

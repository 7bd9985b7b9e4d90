import type { Clock, ConnectionEvents } from '@proto/core/reconnect';
import { checkDurations, systemClock } from '@proto/core/network';
import {
  defineTransport,
  type ResumableTransport,
  type ReplayableTransport,
  type TransportControl,
  TransportError,
} from '@proto/core/transport';
import type { ConnectionOptions } from './connection-options.ts';
import { SocketConnection } from './socket-connection.ts';
import { lostError } from './socket/link-errors.ts';
import type { LinkEnd } from './socket/socket-link.ts';
import { RESUMABLE_PROTOCOL, type SocketLike } from './socket/socket.ts';

const DEFAULT_RECONNECT_WINDOW_MS = 600_000;

/** The limits of the server end of a session, and how long it waits for its client to reconnect. */
export interface WebSocketServerOptions extends ConnectionOptions {
  /** How long a client may be disconnected before the transport ends, in milliseconds. Default 600 000. */
  readonly reconnectWindowMs?: number;
}

/** The server end of one session, whose client may connect over several sockets in succession. */
export interface WebSocketServerTransport extends ResumableTransport, ReplayableTransport {
  /** Uses an upgraded socket as the next link. An earlier socket that is still open is closed with 4090. */
  accept(socket: SocketLike): void;
}

/**
 * Creates the server end of a session. Pass the sockets of its client to `accept`.
 *
 * @example
 * ```ts
 * import { createHostSession } from '@proto/host';
 * import { createWebSocketServerTransport, selectProtocol } from '@proto/transport-websocket';
 * import { WebSocketServer } from 'ws';
 *
 * const transport = createWebSocketServerTransport();
 * new WebSocketServer({ port: 8080, handleProtocols: selectProtocol }).on('connection', (socket) => transport.accept(socket));
 * const host = createHostSession(transport);
 * ```
 *
 * @throws {RangeError} if a time is not a number of at least 0
 */
export function createWebSocketServerTransport(options: WebSocketServerOptions = {}): WebSocketServerTransport {
  checkDurations(options);
  let sockets!: AcceptedSockets;
  const connect = (control: TransportControl) => (sockets = new AcceptedSockets(control, options)).connection.driver;
  const transport = defineTransport('websocket', connect, { ...options, hasMessageIds: true });
  return Object.assign(transport, { accept: (socket: SocketLike) => sockets.accept(socket) });
}

/** Chooses one of the client's offered subprotocols for the answer to an upgrade. Returns `false` if none is supported. */
export function selectProtocol(offered: Iterable<string>): string | false {
  return [...offered].includes(RESUMABLE_PROTOCOL) && RESUMABLE_PROTOCOL;
}

// The client has finished, or its process exited without a close code.
const DONE = [1000, 1005];
const TAKEN_OVER = 4090;
const SESSION_GONE = 4001;

class AcceptedSockets implements ConnectionEvents<LinkEnd> {
  readonly connection: SocketConnection;
  readonly #control: TransportControl;
  readonly #clock: Clock;
  readonly #reconnectWindowMs: number;
  #timer: unknown;
  #isDownReported = false;

  constructor(control: TransportControl, options: WebSocketServerOptions) {
    this.#control = control;
    this.#clock = options.clock ?? systemClock;
    this.#reconnectWindowMs = options.reconnectWindowMs ?? DEFAULT_RECONNECT_WINDOW_MS;
    this.connection = new SocketConnection(control, this, { ...options, retains: true });
    this.#waitForClient();
  }

  accept(socket: SocketLike): void {
    if (this.connection.driver.isReleased) {
      // An `error` event without a listener ends a Node process.
      socket.addEventListener('error', () => {});
      return socket.close(SESSION_GONE);
    }
    if (this.connection.detach(TAKEN_OVER)) {
      this.#reportDown(new TransportError('lost', 'websocket: another connection took over'));
    }
    this.connection.attach(socket);
  }

  onUp(resumed: boolean): void {
    this.#clock.clearTimeout(this.#timer);
    if (this.#isDownReported) this.#control.receive([{ kind: 'link', state: 'up', attempt: 1, resumed }]);
    this.#isDownReported = false;
    this.#control.opened();
  }

  onDown(end: LinkEnd, wasUp: boolean): void {
    if (wasUp && DONE.includes(end.code)) return this.connection.driver.release(undefined, end.code);
    this.#reportDown(lostError(end, true));
    this.#waitForClient();
  }

  onRelease(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #reportDown(cause: TransportError): void {
    const { wasEverUp } = this.connection.driver;
    if (wasEverUp && !this.#isDownReported) this.#control.receive([{ kind: 'link', state: 'down', attempt: 1, cause }]);
    this.#isDownReported = wasEverUp;
  }

  #waitForClient(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => {
      this.connection.driver.release(
        new TransportError('lost', `websocket: no client connected for ${this.#reconnectWindowMs} ms`),
      );
    }, this.#reconnectWindowMs);
  }
}

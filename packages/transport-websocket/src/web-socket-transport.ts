import { checkDurations } from '@proto/core/network';
import type { ConnectionEvents } from '@proto/core/reconnect';
import { defineTransport, type Transport, type TransportControl } from '@proto/core/transport';
import type { ConnectionOptions } from './connection-options.ts';
import { SocketConnection } from './socket-connection.ts';
import { lostError } from './socket/link-errors.ts';
import type { LinkEnd } from './socket/socket-link.ts';
import type { SocketLike } from './socket/socket.ts';

/** The limits of a transport over one socket. */
export type WebSocketOptions = Omit<ConnectionOptions, 'maxReplayBytes'>;

/**
 * Creates a transport over one socket, on either side. The socket may still be opening, or may have been accepted by a server. The transport owns the
 * socket, and ends when the socket ends.
 *
 * @throws {RangeError} if a time is not a number of at least 0
 */
export function createWebSocketTransport(socket: SocketLike, options: WebSocketOptions = {}): Transport {
  checkDurations(options);
  return defineTransport('websocket', (control) => new OneSocket(control, socket, options).connection.driver, options);
}

// The other side has finished, is going away, or closed without a code.
const CLEAN = [1000, 1001, 1005];

class OneSocket implements ConnectionEvents<LinkEnd> {
  readonly connection: SocketConnection;
  readonly #control: TransportControl;

  constructor(control: TransportControl, socket: SocketLike, options: WebSocketOptions) {
    this.#control = control;
    this.connection = new SocketConnection(control, this, { ...options, retains: false });
    this.connection.attach(socket);
  }

  onUp(): void {
    this.#control.opened();
  }

  onDown(end: LinkEnd, wasUp: boolean): void {
    if (wasUp && CLEAN.includes(end.code)) this.connection.driver.release(undefined, end.code);
    else this.connection.driver.release(lostError(end, wasUp), end.code);
  }
}

import { defineTransport, type Transport, type TransportControl } from '@proto/core/transport';
import { LinkDriver } from './link-driver.ts';
import type { LinkDriverOptions } from './link-driver-options.ts';
import { lostError } from './link-errors.ts';
import type { SocketLike } from './socket.ts';
import type { LinkEnd } from './socket-link.ts';

/** The limits of a transport over one socket. */
export type SocketOptions = Omit<LinkDriverOptions, 'maxReplayBytes'>;

/**
 * The protocol over one socket, either side of it: one that is being opened, or one that was accepted. It owns the socket; when that
 * is gone the transport has ended.
 */
export function createSocketTransport(socket: SocketLike, options: SocketOptions = {}): Transport {
  return defineTransport('websocket', (control) => new SocketDriver(control, socket, options), options);
}

// That the other side is done, goes away, or says nothing at all about it.
const CLEAN = [1000, 1001, 1005];

class SocketDriver extends LinkDriver {
  protected readonly retains = false;

  constructor(control: TransportControl, socket: SocketLike, options: SocketOptions) {
    super(control, options);
    this.attach(socket);
  }

  onUp(): void {
    this.control.opened();
  }

  protected onDown(end: LinkEnd, wasUp: boolean): void {
    if (wasUp && CLEAN.includes(end.code)) this.release(undefined, end.code);
    else this.release(lostError(end, wasUp), end.code);
  }
}

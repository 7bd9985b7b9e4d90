import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { selectProtocol } from '@proto/transport-websocket';
import { WebSocketServer } from 'ws';
import { DEFAULT_MAX_BODY_BYTES } from '../http/ingress-context.ts';
import type { Ingress } from '../ingress.ts';

/** Takes an `upgrade` event of a server, at once or never; false where the address is not for the ingress, and the socket was left alone. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<boolean>;

/** The limits of upgrades. */
export interface AcceptUpgradeOptions {
  /** The longest message of a frame, in bytes. Default `DEFAULT_MAX_BODY_BYTES`. */
  readonly maxFrameBytes?: number | undefined;
}

// What a client may send before it has shown who it is: a token is shorter.
const MAX_BYTES_BEFORE_ADMISSION = 64 * 1024;

/** The WebSockets of an ingress on any server of Node: `server.on('upgrade', acceptUpgrade(ingress))`. */
export function acceptUpgrade(ingress: Ingress, options: AcceptUpgradeOptions = {}): UpgradeHandler {
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: options.maxFrameBytes ?? DEFAULT_MAX_BODY_BYTES,
    // It holds up to a megabyte for each link, and costs more than it saves on small messages.
    perMessageDeflate: false,
    handleProtocols: (offered) => selectProtocol(offered),
  });
  return async (request, socket, head) => {
    // One that breaks while it is looked at must not end the process.
    const ignore = () => {};
    socket.on('error', ignore);
    const asked = requestOf(request);
    const accept = asked && (await ingress.upgrade(asked));
    if (accept === undefined && asked !== undefined) {
      socket.off('error', ignore);
      return false;
    }
    if (typeof accept !== 'function') {
      refuse(socket, accept?.status ?? 400);
      return true;
    }
    if (socket.destroyed) return true;
    upgrades.handleUpgrade(request, socket, head, (upgraded) => {
      const accepted = accept(upgraded);
      let bytes = head.length;
      const count = (chunk: Buffer) => {
        bytes += chunk.length;
        if (accepted.isAdmitted) socket.off('data', count);
        else if (bytes > MAX_BYTES_BEFORE_ADMISSION) socket.destroy();
      };
      if (!accepted.isAdmitted) socket.on('data', count);
    });
    return true;
  };
}

/** Undefined for what is no request for a WebSocket, or has no address. */
function requestOf({ url = '/', headers }: IncomingMessage): Request | undefined {
  try {
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), { headers: pairs });
  } catch {
    return undefined;
  }
}

function refuse(socket: Duplex, status: number): void {
  const retry = status === 503 ? 'Retry-After: 5\r\n' : '';
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n${retry}\r\n`);
}

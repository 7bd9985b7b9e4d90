import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { selectProtocol, withCorking } from '@proto/transport-websocket';
import { type WebSocket, WebSocketServer } from 'ws';
import { ElsewhereResponse } from '../forwarding/elsewhere-response.ts';
import type { Ingress } from '../ingress.ts';
import { ingressDefaults } from '../ingress-options.ts';
import type { AcceptedSocket } from '../socket/socket-routes.ts';
import { forwardUpgrade } from '../forwarding/forward-upgrade.ts';
import { oddityOf } from './odd-request.ts';

/** Handles an `upgrade` event of a server. Returns false for an address that does not belong to the ingress, and then leaves the socket unchanged. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** The limits for upgraded connections. */
export interface AcceptUpgradeOptions {
  /** The maximum size of a frame's message, in bytes. Default 33 MiB. */
  readonly maxFrameBytes?: number | undefined;
}

// A connection delivers up to this many bytes at a time, which may be several messages.
const CHUNK_BYTES = 64 * 1024;
// A pong has at most 125 bytes of data, but a short pong also takes some hundred bytes of memory while it waits.
const MAX_UNREAD_PONG_BYTES = 256 * 1024;
const PONG_HEADER_BYTES = 2;

/** Creates the WebSocket handler for any Node server: `server.on('upgrade', acceptUpgrade(ingress))`. */
export function acceptUpgrade(ingress: Ingress, options: AcceptUpgradeOptions = {}): UpgradeHandler {
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: options.maxFrameBytes ?? ingressDefaults.maxBodyBytes,
    // Compression takes up to a megabyte of memory for each link, and costs more than it saves on small messages.
    perMessageDeflate: false,
    handleProtocols: (offered) => selectProtocol(offered),
  });
  return (request, socket, head) => {
    const asked = requestOf(request);
    const looking = asked === undefined ? Promise.resolve(undefined) : ingress.upgrade(asked);
    if (looking === undefined) return false;
    // A socket that breaks during the check must not end the process.
    socket.on('error', () => {});
    void looking.then((accept) => {
      if (socket.destroyed) return;
      if (oddityOf(request) !== undefined) return refuse(socket, new Response(null, { status: 400 }));
      if (accept instanceof ElsewhereResponse) {
        if (!isWebSocket(request)) return refuse(socket, new Response(null, { status: 400 }));
        return forwardUpgrade({ request, socket, head }, accept.to, () => refuse(socket, accept));
      }
      if (typeof accept !== 'function') return refuse(socket, accept ?? new Response(null, { status: 400 }));
      upgrades.handleUpgrade(request, socket, head, (upgraded) => {
        limitMessages(upgraded, socket, head.length, accept(withCorking(upgraded, socket)));
      });
    });
    return true;
  };
}

/**
 * Closes a connection if more bytes have arrived than its next message may contain. The library's own limit cannot depend on the account, because it
 * is set before the client has authenticated.
 */
function limitMessages(upgraded: WebSocket, socket: Duplex, alreadyRead: number, accepted: AcceptedSocket): void {
  let bytes = alreadyRead;
  const begin = () => void (bytes = 0);
  for (const event of ['message', 'ping', 'pong']) upgraded.on(event, begin);
  let unreadPongBytes = 0;
  // The library answers each ping at once, even if the peer never reads. What is unread may also be events, so only the pongs count.
  upgraded.on('ping', (data) => {
    unreadPongBytes = Math.min(unreadPongBytes + data.length + PONG_HEADER_BYTES, socket.writableLength);
    if (unreadPongBytes > MAX_UNREAD_PONG_BYTES) socket.destroy();
  });
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > accepted.maxMessageBytes + CHUNK_BYTES) socket.destroy();
    else accepted.received(chunk.length);
  });
}

/**
 * Whether a request is a GET request for a WebSocket. No other upgrade is forwarded, because the forwarding node writes the method `GET` and the
 * header `Upgrade: websocket` itself.
 */
function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Converts a Node request to a `Request`. Returns undefined for an invalid request, and for a request that does not name exactly one host. */
function requestOf({ url = '/', headersDistinct }: IncomingMessage): Request | undefined {
  const { host: [host, ...others] = [] } = headersDistinct;
  if (host === undefined || others.length > 0) return undefined;
  try {
    const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value) => [name, value] as [string, string]),
    );
    return new Request(`http://${host}${originFormOf(url)}`, { headers: pairs });
  } catch {
    return undefined;
  }
}

function refuse(socket: Duplex, { status, headers }: Response): void {
  const seconds = headers.get('retry-after');
  const retry = seconds === null ? '' : `Retry-After: ${seconds}\r\n`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n${retry}\r\n`);
}

const ABSOLUTE_URL = /^https?:\/\/[^/?#]*(.*)$/is;

/**
 * Returns the path and query of a request's target. A target may be a whole URL (`GET http://name/path HTTP/1.1`). The host in that URL was not
 * checked, so it is dropped, and only the `Host` header counts.
 */
export function originFormOf(target: string): string {
  const [, path] = ABSOLUTE_URL.exec(target) ?? [];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

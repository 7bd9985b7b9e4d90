import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { selectProtocol, withConnection } from '@proto/transport-websocket';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Ingress } from '../ingress.ts';
import { ingressDefaults } from '../ingress-options.ts';
import type { AcceptedSocket } from '../socket/socket-routes.ts';

/** Takes an `upgrade` event of a server; false where the address is not of the ingress, and the socket was left alone. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** The limits of upgrades. */
export interface AcceptUpgradeOptions {
  /** The longest message of a frame, in bytes. Default 32 MiB. */
  readonly maxFrameBytes?: number | undefined;
}

// A connection hands over so much at a time, which may be several messages.
const CHUNK_BYTES = 64 * 1024;
/** A peer with more unread answers to its pings than this is cut off: 4 MiB. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** The WebSockets of an ingress on any server of Node: `server.on('upgrade', acceptUpgrade(ingress))`. */
export function acceptUpgrade(ingress: Ingress, options: AcceptUpgradeOptions = {}): UpgradeHandler {
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: options.maxFrameBytes ?? ingressDefaults.maxBodyBytes,
    // It holds up to a megabyte for each link, and costs more than it saves on small messages.
    perMessageDeflate: false,
    handleProtocols: (offered) => selectProtocol(offered),
  });
  return (request, socket, head) => {
    const asked = requestOf(request);
    const looking = asked === undefined ? Promise.resolve(undefined) : ingress.upgrade(asked);
    if (looking === undefined) return false;
    // One that breaks while it is looked at must not end the process.
    socket.on('error', () => {});
    void looking.then((accept) => {
      if (socket.destroyed) return;
      if (typeof accept !== 'function') return refuse(socket, accept ?? new Response(null, { status: 400 }));
      upgrades.handleUpgrade(request, socket, head, (upgraded) => {
        limitMessages(upgraded, socket, head.length, accept(withConnection(upgraded, socket)));
      });
    });
    return true;
  };
}

/**
 * Breaks off a connection over which more has come than its next message may have. The limit of the library is the same for everybody, and
 * known before it shows who comes.
 */
function limitMessages(upgraded: WebSocket, socket: Duplex, alreadyRead: number, accepted: AcceptedSocket): void {
  let bytes = alreadyRead;
  const begin = () => void (bytes = 0);
  for (const event of ['message', 'ping', 'pong']) upgraded.on(event, begin);
  // The library answers each ping at once, even if the peer never reads.
  upgraded.on('ping', () => socket.writableLength > MAX_UNREAD_BYTES && socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > accepted.maxMessageBytes + CHUNK_BYTES) socket.destroy();
    else accepted.received(chunk.length);
  });
}

/** Undefined for what is no request for a WebSocket, or does not name one host. */
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

/** An address as a client writes it to a proxy, and its path. */
const ABSOLUTE = /^https?:\/\/[^/?#]*(.*)$/is;

/**
 * The path and query of the target of a request. A target may be a whole address (`GET http://name/path HTTP/1.1`), whose host nobody has
 * checked: it is dropped, so that `Host` alone says what was asked for.
 */
export function originFormOf(target: string): string {
  const [, path] = ABSOLUTE.exec(target) ?? [];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { encodeLine } from '@proto/core/framing';
import { selectProtocol, withCorking } from '@proto/transport-websocket';
import { DEFAULT_MAX_FRAME_BYTES } from '@proto/transport-websocket/node';
import { type WebSocket, WebSocketServer } from 'ws';
import { isLoopback } from '../session-address.ts';

/** Where clients connect, and which clients may connect. */
export interface ListenerOptions {
  readonly hostname: string;
  /** The port. 0 selects a free port. */
  readonly port: number;
  /** The token that clients must send as `Authorization: Bearer`. If undefined, no token is needed. */
  readonly token: string | undefined;
  /** Returns whether no more clients are accepted. */
  readonly isFull: () => boolean;
  /** Called with the socket of each client. */
  readonly onSocket: (socket: WebSocket) => void;
}

/** A server that accepts WebSockets, and answers `GET /healthz`. */
export interface Listener {
  readonly url: string;
  /** Stops accepting clients. Connected clients are not closed. */
  close(): void;
}

export async function listen(options: ListenerOptions): Promise<Listener> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: DEFAULT_MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => selectProtocol(offered),
  });
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/healthz' ? 200 : 404, { 'Content-Type': 'text/plain' });
    response.end(url === '/healthz' ? 'ok\n' : 'this address accepts only WebSockets\n');
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    const refusal = refusalOf(request, options);
    if (refusal !== undefined) return refuse(socket, ...refusal);
    sockets.handleUpgrade(request, socket, head, (upgraded) => options.onSocket(withCorking(upgraded, socket)));
  });
  server.listen(options.port, options.hostname);
  await once(server, 'listening');
  const { port, address, family } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `ws://${host}:${port}`,
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

type Refusal = readonly [status: number, code: string, message: string];

function refusalOf(request: IncomingMessage, { token, hostname, isFull }: ListenerOptions): Refusal | undefined {
  const { authorization = '', origin, host = '' } = request.headers;
  // Refuses requests from browsers on this machine: requests from web pages of any site, and requests for a host name that an attacker has rebound
  // to this address (DNS rebinding).
  if (origin !== undefined) return [403, 'origin', 'web pages are not allowed to connect'];
  if (isLoopback(hostname) && !isLoopback(host.replace(/:\d+$/, '')))
    return [403, 'host', 'the server does not accept the host name in the request'];
  if (token !== undefined && !isSameInConstantTime(authorization.replace(/^Bearer /i, ''), token)) {
    return [401, 'auth_required', 'a token is required: Authorization: Bearer TOKEN'];
  }
  // A client with a subprotocol shows only in its first frame whether it resumes a session, so such a client is accepted here.
  const resumes = (request.headers['sec-websocket-protocol'] ?? '') !== '';
  if (isFull() && !resumes) return [503, 'busy', 'too many clients are connected'];
  return undefined;
}

function isSameInConstantTime(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}

function refuse(socket: Duplex, status: number, code: string, message: string): void {
  const body = encodeLine({ error: { code, message, retryable: status === 503 } });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
      '',
      body,
    ].join('\r\n'),
  );
}

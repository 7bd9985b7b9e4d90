import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { OTHER_NAME } from './other-name.test-support.ts';

export const TOKEN = 'a-token-of-at-least-16';

/** How a server differs from one that works. */
export interface Faults {
  /** The prefix of all paths of the server. */
  readonly base?: string;
  /** How many milliseconds its clock is fast. */
  readonly clockOffsetMs?: number;
  /** Holds event streams back, as a proxy that waits for the end of an answer. */
  readonly buffers?: boolean;
  /** Answers the upgrade to a WebSocket as a proxy that does not support it. */
  readonly refusesUpgrade?: boolean;
}

/** Starts a server of sessions with one session on a free port of 127.0.0.1. */
export async function startSessionServer(faults: Faults = {}): Promise<string> {
  const server = createServer(answerWith(faults));
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => {});
    const isRefused = faults.refusesUpgrade === true || request.headers.authorization !== `Bearer ${TOKEN}`;
    socket.end(
      isRefused
        ? 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'
        : 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n',
    );
  });
  return await listen(server);
}

/** Starts the same server with a TLS certificate for another host name. */
export async function startTlsServer(): Promise<string> {
  return (await listen(createTlsServer(OTHER_NAME, answerWith({})))).replace('http:', 'https:');
}

/** Starts a proxy that speaks HTTP/1.0, as old proxies do. */
export async function startOldProxy(): Promise<string> {
  const body = '{"data":[]}';
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.end(`HTTP/1.0 200 OK\r\nserver: old/1\r\ncontent-type: application/json\r\n\r\n${body}`);
    });
  });
  return await listen(server);
}

function answerWith({ base = '', clockOffsetMs = 0, buffers = false }: Faults): RequestListener {
  return (request, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(Date.now() + clockOffsetMs).toUTCString());
    const json = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const path = request.url?.startsWith(base) === true ? request.url.slice(base.length) : '';
    if (path === '/healthz') return json(200, { status: 'ok' });
    if (!path.startsWith('/v1/code/sessions')) return void response.writeHead(404).end('<html>not found</html>');
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return json(401, { error: { type: 'authentication_error', message: 'a valid token is required' } });
    }
    if (!path.endsWith('/events/stream')) return json(200, { data: [{ id: 'cse_1' }] });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (buffers) response.flushHeaders();
    else response.write(': keepalive\n\n');
  };
}

/** Listens on a free port until the test has ended. */
async function listen(server: TcpServer): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

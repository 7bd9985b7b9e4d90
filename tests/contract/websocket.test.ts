import { type TransportPair, testTransport } from '@proto/testkit/vitest';
import {
  type WebSocketServerTransport,
  createWebSocketServerTransport,
  createWebSocketClientTransport,
  createWebSocketTransport,
  type WebSocketClientOptions,
  type SocketLike,
} from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import type { WebSocket } from 'ws';
import { type Loopback, loopback } from './loopback.test-support.ts';

const SILENCE_MS = 600;
const CLOSED = 3;
const LIMITS = {
  maxLineBytes: 4 * 1024 * 1024,
  maxIncomingBytes: 64 * 1024,
  maxBufferedBytes: 64 * 1024,
  maxReplayBytes: 1024 * 1024,
};
const TOO_LONG = 'x'.repeat(LIMITS.maxLineBytes + 1);

interface WebSocketPair extends TransportPair {
  readonly server: Loopback;
  readonly asked: () => number;
  /** All sockets of this side so far, in order; `accepted` has those of the server. */
  readonly opened: readonly SocketLike[];
  readonly accepted: readonly WebSocket[];
}

/** Connects two transports by one socket, without reconnecting. */
async function plainPair(): Promise<WebSocketPair> {
  const accepted: WebSocket[] = [];
  const server = await loopback((socket) => accepted.push(socket));
  const near = openSocket({ url: server.url, headers: {}, protocols: [] });
  const local = createWebSocketTransport(near, { ...LIMITS, silenceMs: SILENCE_MS });
  // The server's end of the connection exists only after the upgrade has arrived.
  while (accepted.length === 0) await new Promise(setImmediate);
  const remote = createWebSocketTransport(accepted[0] as WebSocket, LIMITS);
  return { local, remote, server, opened: [near], accepted, asked: () => 0, dispose: () => server.close() };
}

/** Connects a client that reconnects and a server transport that waits for its next link. */
async function reconnectingPair(options: Partial<WebSocketClientOptions> = {}): Promise<WebSocketPair> {
  const remote: WebSocketServerTransport = createWebSocketServerTransport({ ...LIMITS, silenceMs: 0 });
  const opened: SocketLike[] = [];
  const accepted: WebSocket[] = [];
  const server = await loopback((socket) => {
    accepted.push(socket);
    remote.accept(socket);
  });
  // The server no longer knows a session that has ended.
  void remote.closed.then(() => server.refuse(404));
  let asked = 0;
  const local = createWebSocketClientTransport({
    ...LIMITS,
    url: () => server.url,
    credential: () => `token-${++asked}`,
    open(request) {
      const socket = openSocket(request);
      opened.push(socket);
      return socket;
    },
    baseMs: 5,
    capMs: 20,
    silenceMs: SILENCE_MS,
    ...options,
  });
  return { local, remote, server, opened, accepted, asked: () => asked, dispose: () => server.close() };
}

const shared = {
  backPressure: true,
  cut: ({ server }: WebSocketPair) => server.cut(),
  inject: ({ accepted }: WebSocketPair) => accepted.at(-1)?.send(`${TOO_LONG}\n`),
  released: ({ opened }: WebSocketPair) => opened.every(({ readyState }) => readyState === CLOSED),
  silence: { start: ({ server }: WebSocketPair) => server.silence(), noticedWithinMs: 2 * SILENCE_MS },
};

const connecting = async (options: Partial<WebSocketClientOptions> = {}) => {
  const { local, dispose } = await reconnectingPair({ ...options, url: () => new Promise<string>(() => {}) });
  void local.closed.then(() => dispose?.());
  return local;
};

testTransport<WebSocketPair>({
  ...shared,
  name: 'one WebSocket',
  open: plainPair,
  halfClose: false,
});

const { cut: _, ...uncut } = shared;
testTransport<WebSocketPair>({
  ...uncut,
  name: 'a WebSocket client that reconnects, with plain lines',
  open: () => reconnectingPair({ protocols: [] }),
  connecting: () => connecting({ protocols: [] }),
  halfClose: false,
});

testTransport<WebSocketPair>({
  ...shared,
  name: 'a WebSocket client that reconnects, with sjp.v1',
  open: reconnectingPair,
  connecting,
  halfClose: true,
  notify: ({ accepted }) => accepted.at(-1)?.send('{"event":"said","data":{"so":1}}\n'),
  reconnect: {
    reachable: ({ server }, yes) => server.refuse(yes ? undefined : 503),
    refuse: ({ server }) => server.refuse(403),
    asked: ({ asked }) => asked(),
  },
});

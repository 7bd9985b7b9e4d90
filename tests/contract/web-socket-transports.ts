/** The WebSocket transports as the transport contract tests them, on any platform. */
import type { TransportPair, TransportUnderTest } from '@proto/testkit/vitest';
import {
  createWebSocketClientTransport,
  createWebSocketServerTransport,
  createWebSocketTransport,
  type OpenSocket,
  RESUMABLE_PROTOCOL,
  type SocketLike,
  type WebSocketClientOptions,
  type WebSocketServerTransport,
} from '@proto/transport-websocket';

const SILENCE_MS = 600;
const LIMITS = {
  maxLineBytes: 4 * 1024 * 1024,
  maxIncomingBytes: 64 * 1024,
  maxBufferedBytes: 64 * 1024,
  maxReplayBytes: 1024 * 1024,
};
const TOO_LONG = 'x'.repeat(LIMITS.maxLineBytes + 1);

/** A server whose connections can be made to fail. */
export interface SocketServer {
  readonly url: string;
  /** Answers later attempts to connect: with a failure that is worth another attempt, with a permanent one, or not at all. */
  answer(how: 'unreachable' | 'refused' | 'accepted'): void | Promise<void>;
  /** Breaks every connection without a close frame. */
  cut(): void | Promise<void>;
  /** Stops all traffic on the current connections, which stay open. */
  silence(): void | Promise<void>;
  /** Sends a text to the client over the current connection. */
  inject(text: string): void | Promise<void>;
  close(): void | Promise<void>;
}

/** A platform with its sockets. */
export interface SocketPlatform {
  readonly name: string;
  readonly openSocket: OpenSocket;
  /** Starts a server that accepts connections with these subprotocols. */
  serve(accept: (socket: SocketLike) => void, protocols: readonly string[]): Promise<SocketServer>;
  /** Whether a socket can stop reading, and can ping. */
  readonly canPause: boolean;
  /** The state of a socket that a transport has released: closed, or closing if the platform cannot break a connection. */
  readonly releasedState: number;
}

interface WebSocketPair extends TransportPair {
  readonly server: SocketServer;
  readonly asked: () => number;
  /** All sockets of the client so far, in order. */
  readonly opened: readonly SocketLike[];
}

/** Connects two transports by one socket, without reconnecting. */
async function plainPair({ openSocket, serve, canPause }: SocketPlatform): Promise<WebSocketPair> {
  let accept!: (socket: SocketLike) => void;
  // The server's end of the connection exists only after the upgrade has arrived.
  const accepted = new Promise<SocketLike>((resolve) => (accept = resolve));
  const server = await serve(accept, []);
  const near = openSocket({ url: server.url, headers: {}, protocols: [] });
  const local = createWebSocketTransport(near, { ...LIMITS, silenceMs: silenceOfPlainLines(canPause) });
  const remote = createWebSocketTransport(await accepted, LIMITS);
  return { local, remote, server, opened: [near], asked: () => 0, dispose: () => server.close() };
}

/** A socket that cannot ping sends keep-alives as messages, which a slow test would count. */
function silenceOfPlainLines(canPing: boolean): number {
  return canPing ? SILENCE_MS : 0;
}

type ClientOptions = Pick<WebSocketClientOptions, 'protocols' | 'url'>;

/** Connects a client that reconnects and a server transport that waits for its next link. */
async function reconnectingPair(platform: SocketPlatform, options: Partial<ClientOptions>): Promise<WebSocketPair> {
  const remote: WebSocketServerTransport = createWebSocketServerTransport({ ...LIMITS, silenceMs: 0 });
  const { protocols = [RESUMABLE_PROTOCOL] } = options;
  const isPlain = protocols.length === 0;
  const server = await platform.serve((socket) => remote.accept(socket), protocols);
  // The server no longer knows a session that has ended.
  void remote.closed.then(() => server.answer('refused'));
  const opened: SocketLike[] = [];
  let asked = 0;
  const local = createWebSocketClientTransport({
    ...LIMITS,
    url() {
      asked++;
      return server.url;
    },
    open(request) {
      const socket = platform.openSocket(request);
      opened.push(socket);
      return socket;
    },
    baseMs: 5,
    capMs: 20,
    silenceMs: isPlain ? silenceOfPlainLines(platform.canPause) : SILENCE_MS,
    ...options,
  });
  return { local, remote, server, opened, asked: () => asked, dispose: () => server.close() };
}

async function connecting(platform: SocketPlatform, options: Partial<ClientOptions>) {
  const never = () => new Promise<string>(() => {});
  const { local, remote, dispose } = await reconnectingPair(platform, { ...options, url: never });
  void local.closed.then(() => {
    remote.abort();
    return dispose?.();
  });
  return local;
}

/** The transports of a platform, each for `testTransport`. */
export function webSocketTransports(platform: SocketPlatform): readonly TransportUnderTest<WebSocketPair>[] {
  const { name, canPause, releasedState } = platform;
  const silence = { start: ({ server }: WebSocketPair) => server.silence(), noticedWithinMs: 2 * SILENCE_MS };
  const cut = ({ server }: WebSocketPair) => server.cut();
  const shared = {
    backPressure: canPause,
    inject: ({ server }: WebSocketPair) => server.inject(`${TOO_LONG}\n`),
    released: ({ opened }: WebSocketPair) => opened.every(({ readyState }) => readyState >= releasedState),
    // A socket that cannot ping does not notice that plain lines no longer arrive.
    ...(canPause && { silence }),
  };
  const one: TransportUnderTest<WebSocketPair> = {
    ...shared,
    name: `one WebSocket ${name}`,
    open: () => plainPair(platform),
    halfClose: false,
    cut,
  };
  const plain: TransportUnderTest<WebSocketPair> = {
    ...shared,
    name: `a WebSocket client that reconnects ${name}, with plain lines`,
    open: () => reconnectingPair(platform, { protocols: [] }),
    connecting: () => connecting(platform, { protocols: [] }),
    halfClose: false,
  };
  const resumable: TransportUnderTest<WebSocketPair> = {
    ...shared,
    name: `a WebSocket client that reconnects ${name}, with sjp.v1`,
    open: () => reconnectingPair(platform, {}),
    connecting: () => connecting(platform, {}),
    halfClose: true,
    cut,
    notify: ({ server }) => server.inject('{"event":"said","data":{"so":1}}\n'),
    reconnect: {
      reachable: ({ server }, yes) => server.answer(yes ? 'accepted' : 'unreachable'),
      refuse: ({ server }) => server.answer('refused'),
      asked: ({ asked }) => asked(),
    },
    silence,
  };
  return [one, plain, resumable];
}

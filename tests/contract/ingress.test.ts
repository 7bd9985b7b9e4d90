/** Runs the transport contract between a viewer and a worker of a session, through the ingress and its log. */
import {
  encodeBatch,
  connectSession,
  type ConnectSessionOptions,
  connectUri,
  type SessionScheme,
  type Transport,
} from '@proto/core/transport';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { type FaultProxy, startFaultProxy } from '@proto/testkit';
import { type TransportPair, type TransportUnderTest, testTransport } from '@proto/testkit/vitest';
import { hybridScheme, sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { type SocketLike, webSocketScheme, type WebSocketSchemeOptions } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { afterAll } from 'vitest';
import { TOKENS } from '../remote/remote-session.ts';
import { makeSession, viewerBySocket, viewerByStream, workerBySocket } from '../remote/remote-pair.ts';

const SILENCE_MS = 600;
const CLOSED = 3;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const LIMITS = { maxLineBytes: MAX_LINE_BYTES, maxIncomingBytes: 64 * 1024 };
const TOO_LONG = encodeBatch({ type: 'long', padding: 'x'.repeat(MAX_LINE_BYTES) });
const BACKOFF = { baseMs: 5, capMs: 20 };

/** The token of an account that may not enter any session. */
const TOKEN_OF_ANOTHER = 'another-token-0123456789';
const accounts = await createAccounts([
  { name: 'driver', role: 'driver', token: TOKENS.driver },
  { name: 'another', role: 'driver', token: TOKEN_OF_ANOTHER, sessions: [] },
]);
const server = await listen({ log: createMemoryEventLog(), accounts, limits: { silenceMs: 200, keepaliveMs: 50 } });
afterAll(() => server.close());

interface Pair extends TransportPair {
  readonly proxy: FaultProxy;
  readonly sockets: readonly SocketLike[];
  readonly asked: () => number;
  refuse(): void;
}

/** How a side reaches the server: `url` is the address of the server as that side sees it. */
interface Side {
  readonly url: string;
  readonly token: (given: string) => string;
  readonly open: typeof openSocket;
}

type Make = (side: Side, session: Awaited<ReturnType<typeof makeSession>>) => Transport;

/** Connects both sides. Only `local` goes through a proxy that can be made to fail. */
async function open(makeLocal: Make, makeRemote: Make): Promise<Pair> {
  const proxy = await startFaultProxy(server.url);
  const session = await makeSession(server.url);
  const sockets: SocketLike[] = [];
  let asked = 0;
  let isRefused = false;
  const seen = {
    ...session,
    url: session.url.replace(server.url, proxy.url),
    workerSocket: session.workerSocket.replace(server.url.replace('http', 'ws'), proxy.url.replace('http', 'ws')),
  };
  const local = makeLocal(
    {
      url: proxy.url,
      token(given) {
        asked++;
        return isRefused ? TOKEN_OF_ANOTHER : given;
      },
      open(request) {
        const socket = openSocket(request);
        sockets.push(socket);
        return socket;
      },
    },
    seen,
  );
  const remote = makeRemote({ url: server.url, token: (given) => given, open: openSocket }, session);
  // A side that closes archives the session, because the contract expects the other side to see an end.
  const archive = () => void session.archive().catch(() => {});
  void local.closed.then(archive);
  void remote.closed.then(archive);
  return {
    local,
    remote,
    proxy,
    sockets,
    asked: () => asked,
    refuse: () => (isRefused = true),
    dispose: () => proxy.close(),
  };
}

const socketViewer: Make = ({ token, open: openWith }, session) =>
  viewerBySocket(Promise.resolve(session), {
    ...LIMITS,
    ...BACKOFF,
    credential: () => token(TOKENS.driver),
    open: openWith,
    silenceMs: SILENCE_MS,
  });
const streamViewer: Make = ({ token }, session) =>
  viewerByStream(Promise.resolve(session), {
    ...BACKOFF,
    maxIncomingBytes: LIMITS.maxIncomingBytes,
    maxEventBytes: MAX_LINE_BYTES,
    credential: () => token(TOKENS.driver),
    fetch: undiciFetch(),
    silenceMs: SILENCE_MS,
  });
const socketWorker: Make = ({ token, open: openWith }, session) =>
  workerBySocket(Promise.resolve(session), {
    ...LIMITS,
    ...BACKOFF,
    credential: () => token(session.workerToken),
    open: openWith,
    silenceMs: SILENCE_MS,
  });

const HYBRIDS = [hybridScheme(webSocketScheme)];
const hybrid = (uri: string, { open: openWith }: Side, credential: () => string) =>
  connectUri(uri, HYBRIDS, {
    ...LIMITS,
    ...BACKOFF,
    credential,
    open: openWith,
    fetch: undiciFetch(),
    silenceMs: SILENCE_MS,
  });
const hybridViewer: Make = (side, session) =>
  hybrid(HYBRIDS[0]?.sessionUri(new URL(session.url)) ?? '', side, () => side.token(TOKENS.driver));
const hybridWorker: Make = (side, session) =>
  hybrid(`hybrid+${session.workerSocket}`, side, () => side.token(session.workerToken));

type Options = WebSocketSchemeOptions & SseSchemeOptions;
const anyViewer =
  (webSockets: SessionScheme<WebSocketSchemeOptions>, more: Partial<ConnectSessionOptions<Options>> = {}): Make =>
  ({ token, open: openWith }, session) =>
    connectSession<Options>({
      url: session.url,
      prefer: ['websocket', 'sse'],
      schemes: [webSockets, sseScheme] as SessionScheme<Options>[],
      options: {
        ...LIMITS,
        ...BACKOFF,
        maxEventBytes: MAX_LINE_BYTES,
        credential: () => token(TOKENS.driver),
        open: openWith,
        fetch: undiciFetch(),
        silenceMs: SILENCE_MS,
      },
      maxIncomingBytes: LIMITS.maxIncomingBytes,
      ...more,
    });
/** Connects a viewer whose first socket never opens. */
async function viewerOfNothing(prefer = 'websocket'): Promise<Transport> {
  const silent = await startFaultProxy(server.url, { silent: true });
  const viewer = connectSession<WebSocketSchemeOptions>({
    url: `${silent.url}/v1/code/sessions/cse_none`,
    prefer: [prefer],
    schemes: [webSocketScheme, ...HYBRIDS],
    options: { open: openSocket },
  });
  void viewer.closed.then(() => silent.close());
  return viewer;
}
/** Stands for a server, or a proxy in front of it, that does not support WebSockets. */
const noWebSockets: SessionScheme<WebSocketSchemeOptions> = {
  ...webSocketScheme,
  sessionUri: (address) => `${webSocketScheme.sessionUri(address)}/nowhere`,
};

const through: Omit<TransportUnderTest<Pair>, 'name' | 'open'> = {
  halfClose: false,
  // The log takes every message, even if nobody reads.
  backPressure: false,
  messagesOnly: true,
  cut: ({ proxy }) => proxy.cut('rst'),
  inject: ({ remote }) => remote.send(TOO_LONG),
  // The server refuses a message without a type, and reports the refusal to the sender.
  notify: ({ local }) => local.send(encodeBatch({ no: 'type' })),
  released: ({ sockets }) => sockets.every(({ readyState }) => readyState === CLOSED),
  reconnect: {
    reachable: ({ proxy }, yes) => proxy.misbehave(yes ? {} : { refuses: true }),
    refuse: ({ refuse }) => refuse(),
    asked: ({ asked }) => asked(),
  },
  silence: { start: ({ proxy }) => proxy.misbehave({ silent: true }), noticedWithinMs: 2 * SILENCE_MS },
};

testTransport<Pair>({
  ...through,
  name: 'a viewer by WebSocket, through the ingress',
  connecting: () => viewerBySocket(new Promise(() => {})),
  open: () => open(socketViewer, socketWorker),
});
testTransport<Pair>({
  ...through,
  name: 'a worker by WebSocket, through the ingress',
  connecting: () => workerBySocket(new Promise(() => {})),
  open: () => open(socketWorker, socketViewer),
});
testTransport<Pair>({
  ...through,
  name: 'a worker by WebSocket whose viewer has an event stream',
  open: () => open(socketWorker, streamViewer),
});
testTransport<Pair>({
  ...through,
  name: 'a viewer that prefers a WebSocket',
  connecting: () => viewerOfNothing(),
  open: () => open(anyViewer(webSocketScheme), socketWorker),
});
testTransport<Pair>({
  ...through,
  name: 'a viewer that prefers a WebSocket and falls back to an event stream',
  open: () => open(anyViewer(noWebSockets), socketWorker),
});
testTransport<Pair>({
  ...through,
  name: 'a viewer that reads a WebSocket and posts',
  connecting: () => viewerOfNothing('hybrid'),
  open: () => open(hybridViewer, socketWorker),
});
testTransport<Pair>({
  ...through,
  name: 'a worker that reads a WebSocket and posts',
  connecting: () => viewerOfNothing('hybrid'),
  open: () => open(hybridWorker, hybridViewer),
});

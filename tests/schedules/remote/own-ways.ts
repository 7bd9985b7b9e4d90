import { connectSession, type Cursor, type SessionScheme, type Transport } from '@proto/core/transport';
import { createSseTransport, createSseWorkerTransport, sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import {
  createWebSocketClientTransport,
  webSocketScheme,
  type WebSocketSchemeOptions,
} from '@proto/transport-websocket';
import { ownOptions } from './own-transport.ts';
import { BASE, type Link, type LinkKind, type World } from './world.ts';

/** Creates the transport of a viewer that has everything up to a place in the log. */
export type MakeViewer = (world: World, link: Link, session: string, who: Follower) => Transport;

/** The credential of a viewer, and its cursor. */
export interface Follower {
  readonly name: string;
  readonly cursor: Cursor;
}

/** The session and the lease of a worker. */
export interface Lease {
  readonly session: string;
  readonly token: string;
  readonly epoch: number;
}

/** Creates the transport of a worker. */
export type MakeWorker = (world: World, link: Link, lease: Lease) => Transport;

type Options = SseSchemeOptions & WebSocketSchemeOptions;

/** Follows a session by event streams. */
export const byStream: MakeViewer = (world, link, session, { name, cursor }) =>
  createSseTransport({
    ...ownOptions(world, link, session),
    credential: () => world.rights.token(name),
    cursor,
  });

/** Follows a session by either kind of link, and tries the kind `first` first. */
export function byEither(first: () => LinkKind): MakeViewer {
  return (world, link, session, { name, cursor }) => {
    const kinds: readonly LinkKind[] = ['websocket', 'sse'];
    const { url, ...options } = ownOptions(world, link, session);
    const credential = () => world.rights.token(name);
    return connectSession<Options>({
      url: String(url),
      prefer: first() === 'websocket' ? kinds : kinds.toReversed(),
      schemes: [webSocketScheme, sseScheme] as SessionScheme<Options>[],
      options: { ...options, ...socketOf(link), credential },
      clock: world.clock,
      reconnectDeadlineMs: Infinity,
      connectDeadlineMs: Infinity,
      retryFirstConnect: true,
      cursor,
    });
  };
}

/** Works for a session by an event stream and POST. */
export const workerByStream: MakeWorker = (world, link, { session, token, epoch }) =>
  createSseWorkerTransport({ ...ownOptions(world, link, session), credential: () => ({ token, epoch }) });

/** Works for a session by a WebSocket. */
export const workerBySocket: MakeWorker = (world, link, { session, token }) => {
  const { silenceMs, connectTimeoutMs, ...timing } = ownOptions(world, link, session);
  return createWebSocketClientTransport({
    ...(timing as WebSocketSchemeOptions),
    silenceMs: world.timing.silenceMs,
    connectTimeoutMs: world.timing.answerMs,
    ...socketOf(link),
    url: `${BASE.replace('http', 'ws')}/v1/session_ingress/ws/${session}`,
    credential: token,
  });
};

function socketOf({ open }: Link): Pick<WebSocketSchemeOptions, 'open'> {
  return open === undefined ? {} : { open };
}

import type { Transport } from '@proto/core/transport';
import {
  createSseTransport,
  createSseWorkerTransport,
  type SseOptions,
  type SseWorkerOptions,
} from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import {
  createWebSocketClientTransport,
  type WebSocketClientOptions,
  webSocketScheme,
} from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { TOKENS } from './remote-session.ts';

/** The addresses of a session, and the token of its worker. */
export interface RemoteSession {
  readonly id: string;
  /** The address of the session for viewers. */
  readonly url: string;
  readonly workerToken: string;
  readonly workerEpoch: number;
  /** The address of the worker's WebSocket. */
  readonly workerSocket: string;
  /** Archives the session, which ends all its readers. */
  archive(): Promise<void>;
}

/** Creates a session on a server, with a lease for its worker. */
export async function makeSession(server: string): Promise<RemoteSession> {
  const post = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${TOKENS.driver}` };
    const answer = await fetch(`${server}/v1/code/sessions${path}`, { method: 'POST', headers, body: '{}' });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.json();
  };
  const { session } = (await post('')) as { session: { id: string } };
  const { worker_jwt: workerToken, worker_epoch: workerEpoch } = (await post(`/${session.id}/bridge`)) as {
    worker_jwt: string;
    worker_epoch: number;
  };
  return {
    id: session.id,
    url: `${server}/v1/code/sessions/${session.id}`,
    workerToken,
    workerEpoch,
    workerSocket: `${server.replace('http', 'ws')}/v1/session_ingress/ws/${session.id}`,
    async archive() {
      await post(`/${session.id}/archive`);
    },
  };
}

/** Connects the worker of a session that is being created, over a WebSocket. */
export function workerBySocket(
  session: Promise<RemoteSession>,
  options: Partial<WebSocketClientOptions> = {},
): Transport {
  return createWebSocketClientTransport({
    url: () => session.then(({ workerSocket }) => workerSocket),
    credential: () => session.then(({ workerToken }) => workerToken),
    open: openSocket,
    ...options,
  });
}

/** Connects a viewer of a session that is being created, over a WebSocket. */
export function viewerBySocket(
  session: Promise<RemoteSession>,
  options: Partial<WebSocketClientOptions> = {},
): Transport {
  return createWebSocketClientTransport({
    url: () => session.then(({ url }) => webSocketScheme.sessionUri(new URL(url))),
    credential: () => TOKENS.driver,
    open: openSocket,
    ...options,
  });
}

/** Connects a viewer of a session that is being created, over an event stream and POST. */
export function viewerByStream(session: Promise<RemoteSession>, options: Partial<SseOptions> = {}): Transport {
  return createSseTransport({
    url: () => session.then(({ url }) => url),
    credential: () => TOKENS.driver,
    fetch: undiciFetch(),
    ...options,
  });
}

/** Connects the worker of a session that is being created, over an event stream and POST. */
export function workerByStream(session: Promise<RemoteSession>, options: Partial<SseWorkerOptions> = {}): Transport {
  return createSseWorkerTransport({
    url: () => session.then(({ url }) => url),
    credential: () => session.then(({ workerToken: token, workerEpoch: epoch }) => ({ token, epoch })),
    fetch: undiciFetch(),
    ...options,
  });
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { checkDurations, LONGEST_TIMER_MS } from '@proto/core/network';
import { ingressDefaults, type IngressLimits, type IngressOptions } from '../ingress-options.ts';
import { createNodeIngress, type Ingress } from '../ingress.ts';
import { acceptUpgrade, originFormOf } from './accept-upgrade.ts';
import { takeFastPath } from './node-fast-path.ts';
import { closeWithConnection } from './close-with-connection.ts';
import { createForwardRequest } from '../forwarding/forward-request.ts';
import { nodeSinkOpener } from './node-sink.ts';
import { oddityOf, refuseOdd } from './odd-request.ts';
import { watchUnusedConnections } from './unused-connections.ts';

/**
 * How long a connection without a request stays open, in milliseconds. The time is longer than proxies usually keep connections (60 s): if the proxy
 * and the server closed the connection at the same time, a request that the proxy had just sent would be lost.
 */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CLOSE_GRACE_MS = 5000;

/** The limits of an ingress, and of the Node server in front of it. */
export interface ListenLimits extends IngressLimits {
  /** How long a request and its body may take to arrive, in milliseconds. Slower requests are aborted. Default 60 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** The maximum number of connections at a time. Default 10 000. */
  readonly maxConnections?: number | undefined;
}

/** The options of an ingress, and the address on which the server listens. */
export interface ListenOptions extends IngressOptions {
  /** The address to listen on. Default `127.0.0.1`, which only this machine can reach. */
  readonly hostname?: string | undefined;
  /** The port. Default: a free port. */
  readonly port?: number | undefined;
  /** Times and sizes. Default: the defaults of `ListenLimits`. */
  readonly limits?: ListenLimits | undefined;
}

/** A session server that is listening. */
export interface IngressServer extends AsyncDisposable {
  /**
   * Answers a request that this process itself sends, for example from an agent that it runs for a session. Never rejects. With `cluster`, only the
   * sessions of this node are served.
   */
  fetch: Ingress['fetch'];
  /** The address, without a slash at the end, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Refuses new requests, ends the event streams, and answers the requests that are in progress. Settles when the port is free. */
  close(): Promise<void>;
}

function withDefaults(limits: ListenLimits) {
  return {
    requestTimeoutMs: limits.requestTimeoutMs ?? ingressDefaults.requestTimeoutMs,
    stallTimeoutMs: limits.stallTimeoutMs ?? ingressDefaults.stallTimeoutMs,
    keepaliveMs: limits.keepaliveMs ?? ingressDefaults.keepaliveMs,
    maxConnections: limits.maxConnections ?? ingressDefaults.maxConnections,
  };
}

function timeoutsOf(requestTimeoutMs: number) {
  return {
    // In Node, 0 means no limit.
    requestTimeout: requestTimeoutMs > LONGEST_TIMER_MS ? 0 : requestTimeoutMs,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(5000, requestTimeoutMs),
  };
}

async function closeServer(server: Server, ingress: Ingress, closeUnused: () => void): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // The timer starts before `drain`, because a request whose body never ends would keep `drain` waiting.
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await ingress.drain();
  server.closeIdleConnections();
  closeUnused();
  await closed;
  clearTimeout(timer);
}

/**
 * Serves an ingress over HTTP. Fulfils when the server listens. Use a proxy for TLS. @throws the system error if the server cannot listen, and the
 * errors of `createIngress`.
 *
 * @example
 * ```ts
 * import { createAccounts, listen, openSqliteEventLog } from '@proto/ingress';
 *
 * const log = await openSqliteEventLog({ file: 'sessions.db' });
 * const accounts = await createAccounts([{ name: 'alice', role: 'driver', token: 'the-token-of-alice' }]);
 * const server = await listen({ log, accounts, port: 4983 });
 * console.log(server.url);
 * ```
 */
export async function listen(options: ListenOptions): Promise<IngressServer> {
  const { hostname = '127.0.0.1', port = 0, limits = {} } = options;
  checkDurations(limits, ['requestTimeoutMs']);
  const { requestTimeoutMs, stallTimeoutMs, keepaliveMs, maxConnections } = withDefaults(limits);
  const ingress = createNodeIngress(options);
  const { forward, close: closeForward } = createForwardRequest();
  const fastPath = { answerPost: ingress.answerPost, forward };
  const answer = getRequestListener(
    (request, env) => {
      const [incoming, outgoing] = [env.incoming as IncomingMessage, env.outgoing as ServerResponse];
      return ingress.fetch(request, {
        openSink: nodeSinkOpener(outgoing),
        address: incoming.socket.remoteAddress,
        forward: async (to) => {
          const status = await forward(incoming, outgoing, to);
          return status === undefined
            ? undefined
            : new Response(null, { status, headers: RESPONSE_ALREADY_SENT.headers });
        },
      });
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(timeoutsOf(requestTimeoutMs), (incoming, outgoing) => {
    closeWithConnection(outgoing);
    const oddity = oddityOf(incoming);
    if (oddity !== undefined) return refuseOdd(incoming, outgoing, oddity);
    incoming.url = originFormOf(incoming.url ?? '/');
    if (!takeFastPath(fastPath, incoming, outgoing)) void answer(incoming, outgoing);
    return undefined;
  });
  const closeUnused = watchUnusedConnections(server);
  const upgrade = acceptUpgrade(ingress, { maxFrameBytes: limits.maxBodyBytes });
  server.on('upgrade', (request, socket, head) => {
    if (upgrade(request, socket, head)) return;
    socket.on('error', () => {});
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  });
  // Closes connections whose clients do not read their answers. Event streams have a separate check, and send keep-alives within this time.
  server.timeout = Math.min(Math.max(stallTimeoutMs, 2 * keepaliveMs), LONGEST_TIMER_MS);
  server.maxConnections = maxConnections;
  server.listen(port, hostname);
  await once(server, 'listening').catch(async (error: unknown) => {
    await ingress.drain();
    throw error;
  });
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;

  const close = async () => {
    await closeServer(server, ingress, closeUnused);
    closeForward();
  };
  const own: Ingress['fetch'] = (request, bindings) => ingress.fetch(request, { ...bindings, isOwn: true });
  return { url: `http://${host}:${address.port}`, fetch: own, close, [Symbol.asyncDispose]: close };
}

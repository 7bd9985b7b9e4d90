import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { ingressDefaults, type IngressOptions } from '../ingress-options.ts';
import { createIngress, type Ingress } from '../ingress.ts';
import { acceptUpgrade, originFormOf } from './accept-upgrade.ts';
import { nodeSinkOpener } from './node-sink.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const CLOSE_GRACE_MS = 5000;

/** Where a server listens, beside what its ingress is made of. */
export interface ServeOptions extends IngressOptions {
  /** Default: 127.0.0.1, this machine alone. */
  readonly hostname?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** For a request to arrive, headers and body; what is slower is cut. Default 60 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Connections at a time. Default 10 000. */
  readonly maxConnections?: number | undefined;
}

/** A server that listens. */
export interface IngressServer extends AsyncDisposable, Pick<Ingress, 'fetch'> {
  /** Without a slash at the end, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Drains: no new requests, event streams end, and what is under way is answered. Settles when the port is free. */
  close(): Promise<void>;
}

/** Serves an ingress over HTTP. Fulfils when it listens. TLS is the business of a proxy in front. */
export async function serve(options: ServeOptions): Promise<IngressServer> {
  const { hostname = '127.0.0.1', port = 0, requestTimeoutMs = ingressDefaults.requestTimeoutMs } = options;
  const ingress = createIngress(options);
  const server = createAdaptorServer({
    fetch: (request, { outgoing }) => ingress.fetch(request, { openSink: nodeSinkOpener(outgoing as ServerResponse) }),
    overrideGlobalObjects: false,
    serverOptions: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(5000, requestTimeoutMs),
    },
  }) as Server;
  server.prependListener('request', (incoming: IncomingMessage) => {
    incoming.url = originFormOf(incoming.url ?? '/');
  });
  const upgrade = acceptUpgrade(ingress, { maxFrameBytes: options.maxBodyBytes });
  server.on('upgrade', (request, socket, head) => {
    if (upgrade(request, socket, head)) return;
    socket.on('error', () => {});
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  });
  // For answers that nobody takes; streams look after that themselves, and say something in between.
  const { stallTimeoutMs = ingressDefaults.stallTimeoutMs, keepaliveMs = ingressDefaults.keepaliveMs } = options;
  server.timeout = Math.max(stallTimeoutMs, 2 * keepaliveMs);
  server.maxConnections = options.maxConnections ?? ingressDefaults.maxConnections;
  server.listen(port, hostname);
  await once(server, 'listening').catch(async (error: unknown) => {
    await ingress.drain();
    throw error;
  });
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;

  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    await ingress.drain();
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    await closed;
    clearTimeout(timer);
  };
  return { url: `http://${host}:${address.port}`, fetch: ingress.fetch, close, [Symbol.asyncDispose]: close };
}

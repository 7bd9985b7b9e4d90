import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A server on 127.0.0.1, so that other machines cannot reach it. */
export interface LoopbackServer extends AsyncDisposable {
  /** The address, without a slash at the end, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Cuts open connections. Fulfils when the port is free again. */
  close(): Promise<void>;
}

/**
 * Serves a `fetch`-style handler on a free port of 127.0.0.1. The signal of the request aborts when the client disconnects. If the body fails or the
 * handler rejects, the connection is cut.
 */
export async function serveOnLoopback(handler: (request: Request) => Promise<Response>): Promise<LoopbackServer> {
  const server = createServer((incoming, outgoing) => {
    serve(handler, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

async function serve(
  handler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Error('the client has disconnected'));
  });
  const response = await handler(requestOf(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null || incoming.method === 'HEAD') return void outgoing.end();
  // The head is sent now, because it may take a long time until the first piece of the body is available.
  outgoing.flushHeaders();
  await pipeline(Readable.from(response.body), outgoing);
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {};
  return new Request(`http://${headers.host ?? '127.0.0.1'}${url}`, {
    method,
    headers: pairs,
    signal,
    ...body,
  } as RequestInit);
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeBatch, connectUri, type Incoming } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { sseScheme } from '../sse-scheme.ts';
import type { HttpRequest } from '../http.ts';
import { environmentProxies, undiciFetch } from './undici-fetch.ts';

/** Starts a server on this machine that counts its connections. */
async function listen(serve: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  let connections = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => serve(request, response, body));
  }).on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/code/sessions/cse_1`;
  return {
    url,
    uri: `sse+${url}`,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test.each([
  ['undici', undiciFetch()],
  ['fetch of the platform', undefined],
])('with %s, messages pass both ways, a cut stream reconnects, and connections are reused', async (_, fetch) => {
  const log: string[] = [];
  const streams: ServerResponse[] = [];
  const server = await listen((request, response, body) => {
    if (request.method === 'POST') {
      log.push(
        ...(JSON.parse(body) as { events: { payload: { n: number } }[] }).events.map(
          ({ payload }) => `sent ${payload.n}`,
        ),
      );
      response.setHeader('content-type', 'application/json').end('{}');
      return;
    }
    log.push(`stream from ${String(request.headers['last-event-id'] ?? 0)}`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    streams.push(response);
  });
  const say = (id: number) =>
    streams
      .at(-1)
      ?.write(`id: ${id}\nevent: client_event\ndata: {"source":"worker","payload":{"type":"x","n":${id}}}\n\n`);
  const transport = connectUri(server.uri, [sseScheme], { baseMs: 10, ...(fetch && { fetch }) });
  await transport.opened;
  for (let n = 1; n <= 20; n++) await transport.send(encodeBatch({ type: 'x', n }));
  say(1);
  const items: Incoming[] = [];
  for await (const some of transport.incoming) {
    items.push(...some);
    const last = items.at(-1);
    if (last?.kind === 'message' && last.cursor === '1') streams.at(-1)?.destroy();
    if (last?.kind === 'link' && last.state === 'up') say(2);
    if (last?.kind === 'message' && last.cursor === '2') break;
  }
  expect(items.map((item) => (item.kind === 'link' ? item.state : item.kind))).toEqual([
    'message',
    'down',
    'up',
    'message',
  ]);
  expect(log.filter((entry) => entry.startsWith('stream'))).toEqual(['stream from 0', 'stream from 1']);
  expect(log.filter((entry) => entry.startsWith('sent'))).toHaveLength(20);
  expect(server.connections()).toBeLessThan(6);
  await transport.closed;
  await server.close();
});

const get = (signal = new AbortController().signal): HttpRequest => ({
  method: 'GET',
  headers: {},
  signal,
  redirect: 'manual',
  cache: 'no-store',
});

test('a redirect is returned as an answer, and a user agent is added unless the caller sets one', async () => {
  const agents: unknown[] = [];
  const server = await listen((request, response) => {
    agents.push(request.headers['user-agent']);
    response.writeHead(302, { location: '/elsewhere', 'x-two': ['a', 'b'] }).end();
  });
  const fetch = undiciFetch();
  const { status, headers } = await fetch(`${server.url}?a=b#c`, get());
  await fetch(server.url, { ...get(), headers: { 'User-agent': 'mine' } });
  expect([status, headers.get('location'), headers.get('x-two'), headers.get('x-three')]).toEqual([
    302,
    '/elsewhere',
    'a,b',
    null,
  ]);
  expect(agents).toEqual(['undici', 'mine']);
  await server.close();
});

test.each(['before it is answered', 'in the middle of the answer'])(
  'a request that is aborted %s rejects',
  async (when) => {
    const abort = new AbortController();
    const reason = new Error('gone');
    const server = await listen((_, response) => {
      if (when === 'before it is answered') abort.abort(reason);
      else response.writeHead(200).write('some');
    });
    const answer = undiciFetch()(server.url, get(abort.signal)).then(async ({ body }) => {
      const reader = body?.getReader();
      await reader?.read();
      abort.abort(reason);
      return reader?.read();
    });
    await expect(answer).rejects.toBe(reason);
    await server.close();
  },
);

test('a body that breaks off rejects after the received part', async () => {
  const server = await listen((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('some');
    response.flushHeaders();
    setImmediate(() => response.destroy());
  });
  const { body } = await undiciFetch()(server.url, get());
  const reader = body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('some');
  await expect(reader?.read()).rejects.toThrow('other side closed');
  await server.close();
});

const MACHINE = 'localhost,127.0.0.1,[::1]';

test.each([
  [{}, { httpProxy: '', httpsProxy: '', noProxy: `,${MACHINE}` }],
  [
    { https_proxy: 'http://secure:1', HTTP_PROXY: 'plain:2', NO_PROXY: 'a.example .b.example' },
    { httpProxy: 'http://plain:2', httpsProxy: 'http://secure:1', noProxy: `a.example .b.example,${MACHINE}` },
  ],
  [
    { https_proxy: '', HTTPS_PROXY: 'http://upper:1' },
    { httpProxy: '', httpsProxy: '', noProxy: `,${MACHINE}` },
  ],
  [{ no_proxy: 'a, *' }, { httpProxy: '', httpsProxy: '', noProxy: '*' }],
  [{ no_proxy: '*.a' }, { httpProxy: '', httpsProxy: '', noProxy: `*.a,${MACHINE}` }],
])('the environment %j names the proxies %j', (env, proxies) => {
  expect(environmentProxies(env)).toEqual(proxies);
});

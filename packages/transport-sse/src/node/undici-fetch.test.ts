import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { batchOf, connectTransport, type Incoming } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { sseScheme } from '../sse-scheme.ts';
import { undiciFetch } from './undici-fetch.ts';

/** A server on this machine, and how many connections it was given. */
async function listen(serve: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  let connections = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => serve(request, response, body));
  }).on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `sse+http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/code/sessions/cse_1`,
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
  ['the fetch of the platform', undefined],
])('by %s, messages go both ways, a cut stream is opened again, and connections are used again', async (_, fetch) => {
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
  const transport = connectTransport(server.uri, [sseScheme], { baseMs: 10, ...(fetch && { fetch }) });
  await transport.opened;
  for (let n = 1; n <= 20; n++) await transport.send(batchOf({ type: 'x', n }));
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

import { encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWebSocketServerTransport } from '../web-socket-server-transport.ts';
import { FakeNetwork, pass } from '../fake-network.test-support.ts';
import type { WebSocketClientOptions } from './socket-request.ts';
import { createWebSocketClientTransport } from './web-socket-client-transport.ts';
import { RESUMABLE_PROTOCOL } from '../socket/socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const numbered = (n: number) => encodeBatch({ type: 'n', n });

/** Collects the numbers, cursors and link items that a transport delivers, as they arrive. */
function collect(transport: Transport): { numbers: unknown[]; links: (boolean | undefined)[]; cursors: unknown[] } {
  const seen = { numbers: [] as unknown[], links: [] as (boolean | undefined)[], cursors: [] as unknown[] };
  void (async () => {
    for await (const item of flattenIncoming(transport.incoming)) {
      if (item.kind === 'message') {
        seen.numbers.push(item.read().message?.['n']);
        seen.cursors.push(item.cursor);
      } else if (item.kind === 'link' && item.state === 'up') seen.links.push(item.resumed);
    }
  })().catch(() => {});
  return seen;
}

function pair(network: FakeNetwork, options: Partial<WebSocketClientOptions> = {}) {
  const server = createWebSocketServerTransport();
  network.onAccept = (socket) => server.accept(socket);
  const client = createWebSocketClientTransport({ url: 'ws://host', open: network.open, ...options });
  return { server, client };
}

/** Waits long enough for the next attempt, whatever its delay. */
const reconnect = (network: FakeNetwork): Promise<void> => pass(network, 40);

type Step = 'client sends' | 'server sends' | 'carry' | 'carry back' | 'cut' | 'wait';
const step = fc.constantFrom<Step>(
  'client sends',
  'server sends',
  'carry',
  'carry',
  'carry back',
  'carry back',
  'cut',
  'wait',
);

verifies(
  ['LINK-1', 'QUEUE-14', 'RES-15', 'WSK-47'],
  'wherever the link is cut, messages arrive in order, once and completely in both directions',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const network = new FakeNetwork(RESUMABLE_PROTOCOL);
        const { client, server } = pair(network);
        const [here, there] = [collect(client), collect(server)];
        let [up, down] = [0, 0];
        for (const each of steps) {
          if (each === 'client sends') void client.send(numbered(++up));
          else if (each === 'server sends') void server.send(numbered(++down));
          else if (each === 'carry') network.sockets.at(-1)?.carry();
          else if (each === 'carry back') network.sockets.at(-1)?.peer?.carry();
          else if (each === 'cut' && network.sockets.length > 0) network.cut();
          else await vi.advanceTimersByTimeAsync(2_500);
          await vi.advanceTimersByTimeAsync(0);
        }
        await reconnect(network);
        expect(there.numbers).toEqual(Array.from({ length: up }, (_, n) => n + 1));
        expect(here.numbers).toEqual(Array.from({ length: down }, (_, n) => n + 1));
        expect(here.links.filter((resumed) => !resumed)).toEqual([]);
        client.abort();
        server.abort();
        await Promise.all([client.closed, server.closed]);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 300 },
    );
  },
);

verifies(
  ['RES-16', 'LINK-1'],
  'messages that a server repeats unasked are dropped, whatever start the server announced',
  async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const line = (id: number) => `${JSON.stringify({ id, data: { type: 'x', n: id } })}\n`;
    network.onAccept = (socket) => {
      socket.send('{"ack":0,"stream":"s","from":1}\n');
      socket.send([1, 2, 1, 2, 3].map(line).join(''));
    };
    const client = createWebSocketClientTransport({ url: 'ws://host', open: network.open });
    const here = collect(client);
    await network.settle();
    expect(here.numbers).toEqual([1, 2, 3]);
  },
);

test.each([
  ['messages that the server acknowledged', 'client'],
  ['messages from the server', 'server'],
] as const)('a link that carried %s reconnects at once, even if it is cut every few seconds', async (_, sender) => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { client, server } = pair(network);
  collect(client);
  collect(server);
  await pass(network, 1);
  for (let round = 1; round <= 12; round++) {
    void (sender === 'client' ? client : server).send(numbered(round));
    await pass(network, 3);
    network.cut();
    await vi.advanceTimersByTimeAsync(0);
    expect(network.sockets).toHaveLength(round + 1);
    await pass(network, 1);
  }
  client.abort();
});

test('a link that carries only greetings and is cut every few seconds reconnects with growing delays', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { client } = pair(network);
  await pass(network, 1);
  for (let round = 1; round <= 12; round++) {
    network.cut();
    await pass(network, 4);
  }
  expect(network.sockets.length).toBeLessThan(8);
  client.abort();
});

verifies(
  'RES-19',
  'a server that restarted has a new stream: the client reports a link that did not resume, and takes the messages from the first',
  async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const { client, server } = pair(network);
    const here = collect(client);
    await network.settle();
    for (const n of [1, 2, 3]) void server.send(numbered(n));
    await network.settle();
    const second = createWebSocketServerTransport();
    network.onAccept = (socket) => second.accept(socket);
    void second.send(numbered(4));
    network.cut();
    await reconnect(network);
    expect(here).toMatchObject({ numbers: [1, 2, 3, 4], links: [false] });
  },
);

test('a new client without a cursor gets a link item that says earlier messages are missing', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { client, server } = pair(network);
  collect(client);
  await network.settle();
  void server.send(numbered(1));
  await reconnect(network);
  client.abort();
  await network.settle();
  const here = collect(createWebSocketClientTransport({ url: 'ws://host', open: network.open }));
  await network.settle();
  void server.send(numbered(2));
  await network.settle();
  expect(here).toMatchObject({ numbers: [2], links: [false] });
});

test('a new client with the cursor of an earlier client continues after that cursor', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { client, server } = pair(network);
  const old = collect(client);
  await network.settle();
  for (const n of [1, 2, 3]) void server.send(numbered(n));
  await network.settle();
  // The link is cut before the client acknowledges the messages that it has not handled.
  network.cut();
  client.abort();
  await network.settle();
  const cursor = old.cursors[1] as string;
  const here = collect(createWebSocketClientTransport({ url: 'ws://host', open: network.open, cursor }));
  await network.settle();
  expect(here).toMatchObject({ numbers: [3], links: [] });
});

verifies('RES-25', 'plain lines: messages that a pong confirmed are not sent again, others are', async () => {
  const network = new FakeNetwork();
  const { client, server } = pair(network);
  const there = collect(server);
  await network.settle();
  void client.send(numbered(1));
  // The keep-alive interval sends a ping, and the pong confirms the first message.
  await vi.advanceTimersByTimeAsync(15_000);
  await network.settle();
  void client.send(numbered(2));
  await network.settle();
  network.cut();
  await reconnect(network);
  expect(there.numbers).toEqual([1, 2, 2]);
});

test('plain lines over a socket without ping: messages that left the socket free room for others', async () => {
  const network = new FakeNetwork();
  network.onAttempt = (socket) => network.accept(Object.assign(socket, { ping: undefined, bufferedAmount: 1 }));
  const client = createWebSocketClientTransport({ url: 'ws://host', open: network.open, maxReplayBytes: 1 });
  await network.settle();
  const settled: number[] = [];
  for (const n of [1, 2]) void client.send(numbered(n)).then(() => settled.push(n));
  await vi.advanceTimersByTimeAsync(1000);
  expect(settled).toEqual([1]);
  network.last.bufferedAmount = 0;
  await vi.advanceTimersByTimeAsync(1000);
  expect(settled).toEqual([1, 2]);
});

test('plain lines: a ping follows many bytes, and no second ping is sent before the pong', async () => {
  const network = new FakeNetwork();
  const { client } = pair(network);
  await network.settle();
  const much = encodeBatch({ type: 'x'.repeat(40_000) });
  for (let sent = 0; sent < 5; sent++) void client.send(much);
  await vi.advanceTimersByTimeAsync(0);
  expect(network.last.pings).toEqual(['2']);
  await network.settle();
  for (let sent = 0; sent < 2; sent++) void client.send(much);
  await vi.advanceTimersByTimeAsync(0);
  expect(network.last.pings).toEqual(['2', '6']);
});

test('a second client takes the session over: the first is closed with 4090, and does not reconnect', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { client } = pair(network);
  client.opened.catch(() => {});
  collect(client);
  await network.settle();
  const second = createWebSocketClientTransport({ url: 'ws://host', open: network.open });
  collect(second);
  await reconnect(network);
  expect(await client.closed).toMatchObject({ status: 4090, error: { code: 'rejected', retryable: false } });
  await second.opened;
  expect(network.sockets.length).toBe(2);
});

test('a line above the limit is reported once, in its place, and the sender does not wait for its acknowledgement', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { client, server } = pair(network, { maxLineBytes: 300 });
  const codes: unknown[] = [];
  void (async () => {
    for await (const item of flattenIncoming(client.incoming))
      codes.push(item.kind === 'malformed' ? item.error.code : item.kind);
  })().catch(() => {});
  await network.settle();
  void server.send(encodeBatch({ type: 'x'.repeat(400) }));
  await network.settle();
  network.cut();
  await reconnect(network);
  void server.close();
  await reconnect(network);
  expect((await server.closed).error).toBeUndefined();
  expect(codes).toEqual(['too-large', 'link', 'link']);
});

test('a session that has ended refuses new clients with 4001', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { client, server } = pair(network);
  server.abort();
  await expect(Promise.all([client.opened, reconnect(network)])).rejects.toMatchObject({ status: 4001 });
});

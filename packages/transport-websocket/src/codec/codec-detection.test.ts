import {
  encodeBatch,
  flattenIncoming,
  type Incoming,
  type ReplayableTransport,
  type Transport,
} from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWebSocketServerTransport } from '../web-socket-server-transport.ts';
import { FakeNetwork, type FakeSocket } from '../fake-network.test-support.ts';
import type { WebSocketClientOptions } from '../client/socket-request.ts';
import { createWebSocketClientTransport } from '../client/web-socket-client-transport.ts';
import { RESUMABLE_PROTOCOL } from '../socket/socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const numbered = (n: number) => encodeBatch({ type: 'n', n });
// Two long messages are enough for the client to ask with a ping whether they have arrived.
const long = (n: number) => encodeBatch({ type: 'n', n, padding: 'x'.repeat(40_000) });
const textOf = (n: number) => `{"type":"n","n":${n}}`;

function connect(network: FakeNetwork, options: Partial<WebSocketClientOptions> = {}): ReplayableTransport {
  return createWebSocketClientTransport({ url: 'ws://host', open: network.open, ...options });
}

/** Collects the items that a transport delivers, as they arrive. */
function collect(transport: Transport): Incoming[] {
  const items: Incoming[] = [];
  void (async () => {
    for await (const item of flattenIncoming(transport.incoming)) items.push(item);
  })().catch(() => {});
  return items;
}

/** Collects the frames that a far end receives, as they arrive. */
function framesOf(far: FakeSocket): string[] {
  const frames: string[] = [];
  far.addEventListener('message', ({ data }) => void frames.push(String(data).trimEnd()));
  return frames;
}

/** Makes the network's server repeat the name of the subprotocol. Returns the server's last socket and the frames it received. */
function repeating(network: FakeNetwork): { far: FakeSocket; frames: string[] } {
  const seen = { far: undefined as unknown as FakeSocket, frames: [] as string[] };
  network.onAccept = (far) => {
    seen.far = far;
    seen.frames = framesOf(far);
  };
  return seen;
}

async function pass(network: FakeNetwork, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 100) {
    await network.settle();
    await vi.advanceTimersByTimeAsync(100);
  }
  await network.settle();
}

describe('a server that repeats the name of the subprotocol and speaks plain lines', () => {
  verifies(['WORKER-3', 'WSK-42', 'WSK-43'], 'is detected at its first line, and no line is lost', async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const server = repeating(network);
    const transport = connect(network);
    const items = collect(transport);
    await network.settle();
    server.far.send(`${textOf(1)}\n${textOf(2)}\n`);
    await network.settle();
    await transport.opened;
    await transport.send(numbered(3));
    await network.settle();
    expect(items).toMatchObject([
      { kind: 'message', text: textOf(1) },
      { kind: 'message', text: textOf(2) },
    ]);
    // A server that knows only plain lines reads the greeting as a keep-alive message.
    expect(JSON.parse(server.frames[0] ?? '')).toMatchObject({ type: 'keep_alive' });
    expect(server.frames.slice(1)).toEqual([textOf(3)]);
  });

  test('gets the client’s messages as plain lines when it reads the greeting and stays silent', async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const server = repeating(network);
    const transport = connect(network);
    void transport.send(numbered(1));
    await pass(network, 400);
    expect(server.frames).toHaveLength(1);
    await pass(network, 300);
    expect(server.frames.slice(1)).toEqual([textOf(1)]);
    const items = collect(transport);
    server.far.send(`${textOf(2)}\n`);
    await network.settle();
    expect(items).toMatchObject([{ kind: 'message', text: textOf(2) }]);
  });

  test('may echo every line: the client does not deliver its own greeting as a message', async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    network.onAccept = (far) => far.addEventListener('message', ({ data }) => far.send(String(data)));
    const transport = connect(network);
    const items = collect(transport);
    await Promise.all([transport.send(numbered(1)), pass(network, 100)]);
    expect(items).toMatchObject([{ kind: 'message', text: textOf(1) }]);
  });

  test('is not offered `sjp.v1` on later links, until an attempt fails', async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const server = repeating(network);
    const transport = connect(network);
    const items = collect(transport);
    await network.settle();
    server.far.send(`${textOf(1)}\n`);
    await network.settle();
    network.cut();
    await pass(network, 200);
    let failures = 1;
    network.onAttempt = (socket) => (failures-- > 0 ? socket.fall(1006) : network.accept(socket));
    network.cut();
    await pass(network, 5000);
    expect(network.requests.map(({ protocols }) => protocols)).toEqual([['sjp.v1'], [], [], ['sjp.v1']]);
    expect(items.filter(({ kind }) => kind === 'malformed')).toEqual([]);
  });

  test('gets messages whose arrival was not confirmed again on the next link', async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const server = repeating(network);
    const transport = connect(network);
    void transport.send(numbered(1));
    await pass(network, 700);
    expect(server.frames.slice(1)).toEqual([textOf(1)]);
    network.cut();
    await pass(network, 800);
    expect(server.frames.slice(1)).toEqual([textOf(1)]);
  });

  test('delays a close no longer than a late greeting may take', async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const server = repeating(network);
    const transport = connect(network);
    await Promise.all([transport.opened, pass(network, 700)]);
    void transport.send(numbered(1));
    void transport.close();
    await pass(network, 6000);
    expect(await transport.closed).toMatchObject({ by: 'local' });
    expect(server.frames.slice(1)).toEqual([textOf(1)]);
  });

  test('is refused if the client insists on `sjp.v1`: its lines are malformed', async () => {
    const network = new FakeNetwork(RESUMABLE_PROTOCOL);
    const server = repeating(network);
    const items = collect(connect(network, { protocols: [RESUMABLE_PROTOCOL] }));
    await network.settle();
    server.far.send(`${textOf(1)}\n`);
    await network.settle();
    expect(items).toMatchObject([{ kind: 'malformed' }]);
  });
});

test.each([
  ['a member named `event`', '{"type":"x","event":"y","data":1}'],
  ['a member named `ack`', '{"type":"x","ack":1}'],
  ['a member named `end`', '{"type":"x","end":1}'],
  ['no JSON', 'hello'],
])('a plain line with %s is not taken for a line of `sjp.v1`', async (_, text) => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const server = repeating(network);
  const items = collect(connect(network));
  await network.settle();
  server.far.send(`${text}\n`);
  await network.settle();
  expect(items).toMatchObject([{ kind: 'message', text }]);
});

/** Creates a server of `sjp.v1` that answers pings at once, but does not read lines before `wake` is called. */
function sleeping(network: FakeNetwork) {
  const server = createWebSocketServerTransport();
  let wake = () => {};
  network.onAccept = (far) => {
    const frames: unknown[] = [];
    let isAwake = false;
    far.addEventListener('message', ({ data }) => void (isAwake || frames.push(data)));
    wake = () => {
      if (isAwake) return;
      isAwake = true;
      server.accept(far);
      queueMicrotask(() => frames.forEach((data) => far.emit('message', { data })));
    };
  };
  return { server, wake: () => wake() };
}

const numbersOf = (items: readonly Incoming[]) =>
  items.flatMap((item) => (item.kind === 'message' ? [item.read().message?.['n']] : []));

verifies(
  'WORKER-3',
  'a server of `sjp.v1` is detected however late it greets: messages arrive in order, once and completely',
  async () => {
    const plan = fc.record({
      lateMs: fc.integer({ min: 0, max: 5300 }),
      before: fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 8 }),
      down: fc.integer({ min: 0, max: 5 }),
      cutAtMs: fc.option(fc.integer({ min: 5500, max: 8000 })),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ lateMs, before, down, cutAtMs }) => {
        const network = new FakeNetwork(RESUMABLE_PROTOCOL);
        const { server, wake } = sleeping(network);
        const client = connect(network, { silenceMs: 0 });
        const [here, there] = [collect(client), collect(server)];
        const times = before.toSorted((one, other) => one - other);
        for (let n = 1; n <= down; n++) void server.send(numbered(n));
        for (let at = 0, sent = 0; at < 60_000; at += 100) {
          while (sent < times.length && (times[sent] as number) <= at) void client.send(long(++sent));
          if (at >= lateMs) wake();
          if (cutAtMs !== null && at <= cutAtMs && cutAtMs < at + 100) network.cut();
          await pass(network, 100);
        }
        expect(numbersOf(there)).toEqual(times.map((_, n) => n + 1));
        expect(numbersOf(here)).toEqual(Array.from({ length: down }, (_, n) => n + 1));
        expect(here.filter(({ kind }) => kind === 'malformed')).toEqual([]);
        client.abort();
        server.abort();
      }),
      { numRuns: 25 },
    );
  },
);

test('a server that has numbered its lines once is not taken for a server of plain lines when it is silent', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { server, wake } = sleeping(network);
  const client = connect(network);
  const [here, there] = [collect(client), collect(server)];
  await network.settle();
  wake();
  await Promise.all([client.opened, pass(network, 100)]);
  network.cut();
  await pass(network, 100);
  void client.send(numbered(1));
  await pass(network, 8000);
  wake();
  await pass(network, 100);
  expect(here).toMatchObject([
    { kind: 'link', state: 'down' },
    { kind: 'link', state: 'up', resumed: true },
  ]);
  expect(there.filter(({ kind }) => kind === 'malformed')).toEqual([]);
  expect(numbersOf(there)).toEqual([1]);
});

test('a server of `sjp.v1` that greets after the client took it for a server of plain lines is still detected by its numbers', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { server, wake } = sleeping(network);
  const client = connect(network, { silenceMs: 0 });
  const [here, there] = [collect(client), collect(server)];
  for (const n of [1, 2]) void server.send(numbered(n));
  await pass(network, 9000);
  wake();
  await pass(network, 500);
  void client.send(numbered(1));
  await pass(network, 500);
  expect(here.filter(({ kind }) => kind === 'malformed')).toEqual([]);
  expect(numbersOf(here)).toEqual([1, 2]);
  expect(numbersOf(there)).toEqual([1]);
  // The client knows the server's protocol by now: it offers `sjp.v1` on the next link, although the server is silent.
  network.cut();
  await pass(network, 1000);
  expect(network.requests.at(-1)?.protocols).toEqual([RESUMABLE_PROTOCOL]);
  client.abort();
  server.abort();
});

test('messages that the client no longer kept when such a server greets are reported as lost', async () => {
  const network = new FakeNetwork(RESUMABLE_PROTOCOL);
  const { server, wake } = sleeping(network);
  const client = connect(network, { silenceMs: 0 });
  const here = collect(client);
  // The messages are long enough for the client to send a ping.
  for (const n of [1, 2]) void client.send(long(n));
  await pass(network, 9000);
  expect(client.unacknowledged.batches()).toEqual([]);
  wake();
  await pass(network, 500);
  expect(here).toMatchObject([{ kind: 'malformed', error: { code: 'lost' } }]);
  client.abort();
  server.abort();
});

import { encodeBatch, type Incoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/requirements';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeNetwork, type FakeSocket } from './fake-network.test-support.ts';
import { createLogLink, type LinkBeginning, type LogLink, type ReceivedLine } from './log-link.ts';
import { loggedLine, noticeLine } from './codec/numbered-lines.ts';
import type { ReconnectingOptions } from './client/socket-request.ts';
import { createReconnectingTransport } from './client/reconnecting-transport.ts';
import { RESUMABLE_PROTOCOL } from './socket/socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose messages are given, and what it hears. */
class Server {
  readonly network: FakeNetwork;
  readonly beginnings: LinkBeginning[] = [];
  readonly lines: ReceivedLine[] = [];
  readonly proofs: number[] = [];
  readonly tokens: string[] = [];
  link!: LogLink;
  ended = 0;
  place = 0;
  /** What it says when a link begins. */
  greeting: readonly string[] = [];

  constructor(protocol = RESUMABLE_PROTOCOL, authenticate?: (token: string) => Promise<number | undefined>) {
    this.network = new FakeNetwork(protocol);
    const asked = (token: string) => {
      this.tokens.push(token);
      return authenticate?.(token) ?? Promise.resolve(undefined);
    };
    this.network.onAccept = (socket: FakeSocket) => {
      this.link = createLogLink(socket, {
        authenticate: authenticate && asked,
        onBegin: (beginning) => {
          this.beginnings.push(beginning);
          for (const line of this.greeting) this.link.write(line);
        },
        onLines: (lines) => this.lines.push(...lines),
        onProof: (place) => this.proofs.push(place),
        place: () => this.place,
        onEnd: () => this.ended++,
      });
    };
  }

  client(options: Partial<ReconnectingOptions> = {}) {
    const transport = createReconnectingTransport({ url: 'ws://host', open: this.network.open, ...options });
    return { transport, items: collect(transport) };
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.network.settle();
      await vi.advanceTimersByTimeAsync(1000);
      await this.network.settle();
    }
  }
}

function collect(transport: Transport): Incoming[] {
  const items: Incoming[] = [];
  void (async () => {
    for await (const some of transport.incoming) items.push(...some);
  })().catch(() => {});
  return items;
}

const hello = (from: number, members = {}) => `${JSON.stringify({ ack: 0, from, ...members })}\n`;
const message = (n: number) => JSON.stringify({ type: 'n', n });
const numbersOf = (items: readonly Incoming[]) =>
  items.flatMap((item) => (item.kind === 'message' ? [item.read().message?.['n']] : []));
const linksOf = (items: readonly Incoming[]) => items.filter(({ kind }) => kind === 'link');

test('the numbers of a log are the cursors, and a later client goes on behind the one it gives', async () => {
  const server = new Server();
  server.greeting = [hello(5), loggedLine(7, 'worker', message(7)), loggedLine(9, 'client', message(9))];
  const { transport, items } = server.client({ cursor: '4' });
  await server.pass(1);
  expect(server.beginnings).toMatchObject([{ received: 4, stream: expect.any(String) }]);
  expect(items).toMatchObject([
    { kind: 'message', cursor: '7', source: 'worker', text: message(7) },
    { kind: 'message', cursor: '9', source: 'client', text: message(9) },
  ]);
  transport.resumption.acknowledge('9');
  expect(transport.resumption.cursor).toBe('9');
  // Told a moment later: that is what the server may count as proved.
  expect(server.proofs).toEqual([9]);
});

test('what has no number is heard and not counted, and what is said beside the messages is told apart', async () => {
  const server = new Server();
  server.greeting = [
    hello(1),
    loggedLine(undefined, 'worker', message(0)),
    '{"event":"delivery_update","data":{"event_id":"u"}}\n',
    loggedLine(1, 'worker', message(1)),
  ];
  const { items } = server.client();
  await server.pass(1);
  expect(numbersOf(items)).toEqual([0, 1]);
  expect(items[0]).not.toHaveProperty('cursor');
  expect(items[1]).toEqual({ kind: 'notice', event: 'delivery_update', data: { event_id: 'u' } });
});

test('news that the log has is numbered: it comes once, in its place, and is proved like a message', async () => {
  const server = new Server();
  const news = (n: number) => noticeLine(n, 'control_resolved', { request_id: `r${n}` });
  server.greeting = [
    hello(1),
    loggedLine(1, 'worker', message(1)),
    news(2),
    news(2),
    loggedLine(3, 'worker', message(3)),
  ];
  const { transport, items } = server.client();
  await server.pass(1);
  expect(items).toMatchObject([
    { kind: 'message', cursor: '1' },
    { kind: 'notice', event: 'control_resolved', data: { request_id: 'r2' }, cursor: '2' },
    { kind: 'message', cursor: '3' },
  ]);
  server.link.write(news(4));
  await server.pass(1);
  transport.resumption.acknowledge('4');
  expect([transport.resumption.cursor, server.proofs.at(-1)]).toEqual(['4', 4]);
});

verifies(
  'R-1.3',
  'a log that cannot go on says so: told as a gap, and what comes then is not taken for old',
  async () => {
    const server = new Server();
    const gap = { reason: 'unknown_cursor', from: 3, to: 1000 };
    server.greeting = [hello(3, { gap }), loggedLine(3, 'worker', message(3))];
    const { transport, items } = server.client({ cursor: '1000' });
    await server.pass(1);
    expect(items).toMatchObject([{ kind: 'link', state: 'up', resumed: false }, { cursor: '3' }]);
    expect(transport.resumption.cursor).toBe('2');

    // Dropped while the link was up.
    server.link.write(hello(8, { gap: { reason: 'evicted', from: 4, to: 7 } }));
    server.link.write(loggedLine(8, 'worker', message(8)));
    await server.pass(1);
    expect(linksOf(items)).toHaveLength(2);
    expect(numbersOf(items)).toEqual([3, 8]);
  },
);

test('the token goes into the first frame where headers cannot carry it, and is asked for again when it is refused', async () => {
  const server = new Server(RESUMABLE_PROTOCOL, async (token) => (token === 'good' ? undefined : 4003));
  server.greeting = [hello(1)];
  const reasons: string[] = [];
  const { transport } = server.client({
    tokenIn: 'frame',
    credential(reason) {
      reasons.push(reason);
      return reason === 'refused' ? 'good' : 'bad';
    },
  });
  await server.pass(5);
  await transport.opened;
  expect([server.tokens, reasons]).toEqual([
    ['bad', 'good'],
    ['first', 'refused'],
  ]);
  expect(server.network.requests.map(({ headers }) => headers)).toEqual([{}, {}]);
  void transport.send(encodeBatch({ type: 'n' }));
  await server.pass(1);
  expect(server.lines).toMatchObject([{ id: 1, text: '{"type":"n"}' }]);
});

test('on the platform’s own socket the first frame is the default', async () => {
  const server = new Server('', async () => undefined);
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor(url: string, protocols: string[]) {
        return server.network.open({ url, protocols, headers: {} });
      }
    },
  );
  const transport = createReconnectingTransport({ url: 'ws://host', credential: 'secret' });
  await server.pass(1);
  vi.unstubAllGlobals();
  expect(server.tokens).toEqual(['secret']);
  transport.abort();
});

test('who does not begin in time is let go, and whoever sends before it has begun, too', async () => {
  for (const [authenticated, code] of [
    [false, 4003],
    [true, 1008],
  ] as const) {
    const server = new Server(RESUMABLE_PROTOCOL, authenticated ? undefined : async () => undefined);
    const socket = server.network.open({ url: 'ws://host', headers: {}, protocols: [RESUMABLE_PROTOCOL] });
    let closed: unknown;
    socket.addEventListener('close', (event) => (closed = event.code));
    await server.pass(11);
    expect([closed, server.ended]).toEqual([code, 1]);
  }
  const server = new Server();
  const early = server.network.open({ url: 'ws://host', headers: {}, protocols: [RESUMABLE_PROTOCOL] });
  await server.network.settle();
  early.send('{"id":1,"data":{}}\n');
  await server.pass(3);
  expect([server.lines, server.ended]).toEqual([[], 1]);
});

test('a proof on a bare link is the answer to a ping, which comes soon after something was written', async () => {
  const server = new Server('');
  server.client();
  await server.pass(1);
  server.place = 12;
  server.link.write(`${message(1)}\n`);
  await server.pass(2);
  expect(server.proofs).toEqual([12]);
});

test('a socket that is behind says so, and is broken at the end in place of a goodbye it would not hear', async () => {
  const server = new Server('');
  server.client();
  await server.pass(1);
  const far = server.network.last.peer as FakeSocket;
  far.bufferedAmount = 10_000_000;
  expect(server.link.write('x\n')).toBe(false);
  let drained = false;
  void server.link.drained().then(() => (drained = true));
  await vi.advanceTimersByTimeAsync(500);
  expect(drained).toBe(false);
  far.bufferedAmount = 0;
  await vi.advanceTimersByTimeAsync(200);
  expect(drained).toBe(true);
  far.bufferedAmount = 10_000_000;
  server.link.close(1013);
  await vi.advanceTimersByTimeAsync(0);
  expect(server.ended).toBe(1);
});

test('what is written in one turn is kept back until it is over, also where a frame cannot be sent', async () => {
  const server = new Server();
  server.client();
  await server.network.settle();
  const log: string[] = [];
  const send = (text: string) => {
    if (text === 'c') throw new Error('no frame');
    log.push(text);
  };
  Object.assign(server.network.last.peer as FakeSocket, {
    send,
    cork: () => log.push('cork'),
    uncork: () => log.push('uncork'),
  });
  for (const text of ['a', 'b']) server.link.write(text);
  await Promise.resolve();
  expect(() => server.link.write('c')).toThrow('no frame');
  await Promise.resolve();
  expect(log).toEqual(['cork', 'a', 'b', 'uncork', 'cork', 'uncork']);
});

test('what a client says in plain lines, having taken a slow greeting for none, is not lost: the link ends, and it is said again', async () => {
  const server = new Server();
  const { transport, items } = server.client();
  const sent = transport.send(encodeBatch({ n: 1 }));
  // Whoever reads the log for this link does not come to an end, and pings are answered all the while.
  await server.pass(3);
  expect(server.beginnings.length).toBeGreaterThan(0);
  expect(server.lines).toEqual([]);
  server.greeting = ['{"ack":0,"from":1}\n'];
  await server.pass(20);
  expect(server.lines.map(({ id, text }) => [id, JSON.parse(text ?? '')])).toEqual([
    [1, expect.objectContaining({ n: 1 })],
  ]);
  expect(transport.retained.batches()).toHaveLength(1);
  server.link.acknowledge(1);
  await server.pass(1);
  expect(transport.retained.batches()).toEqual([]);
  await sent;
  // Nothing was missed, and nothing is said to be.
  expect(items.filter((item) => item.kind === 'link' && item.resumed === false)).toEqual([]);
  transport.abort();
});

import { encodeBatch, type Incoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeNetwork, type FakeSocket } from './fake-network.test-support.ts';
import {
  createServerConnection,
  type ClientGreeting,
  type ServerConnection,
  type ReceivedLine,
} from './server-connection.ts';
import { loggedLine, noticeLine } from './codec/numbered-lines.ts';
import type { WebSocketClientOptions } from './client/socket-request.ts';
import { createWebSocketClientTransport } from './client/web-socket-client-transport.ts';
import { GREETING_PARAMETER, RESUMABLE_PROTOCOL } from './socket/socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that writes given lines to each link, and records what it receives. */
class Server {
  readonly network: FakeNetwork;
  readonly beginnings: ClientGreeting[] = [];
  readonly lines: ReceivedLine[] = [];
  readonly proofs: number[] = [];
  readonly tokens: string[] = [];
  link!: ServerConnection;
  ended = 0;
  place = 0;
  /** Whether the server takes the greeting of an upgrade. */
  takesGreetings = false;
  /** The lines that the server writes when a link begins. */
  greeting: readonly string[] = [];

  constructor(protocol = RESUMABLE_PROTOCOL, authenticate?: (token: string) => Promise<number | undefined>) {
    this.network = new FakeNetwork(protocol);
    const asked = (token: string) => {
      this.tokens.push(token);
      return authenticate?.(token) ?? Promise.resolve(undefined);
    };
    this.network.onAccept = (socket: FakeSocket) => {
      const { url = '' } = this.network.requests.at(-1) ?? {};
      const greeting = (this.takesGreetings && new URL(url).searchParams.get(GREETING_PARAMETER)) || undefined;
      const events = {
        authenticate: authenticate && asked,
        onBegin: (beginning: ClientGreeting) => {
          this.beginnings.push(beginning);
          for (const line of this.greeting) this.link.write(line);
        },
        onLines: (lines: readonly ReceivedLine[]) => this.lines.push(...lines),
        onDelivered: (place: number) => this.proofs.push(place),
        place: () => this.place,
        onEnd: () => this.ended++,
      };
      this.link = createServerConnection(socket, events, { greeting });
    };
  }

  client(options: Partial<WebSocketClientOptions> = {}) {
    const transport = createWebSocketClientTransport({ url: 'ws://host', open: this.network.open, ...options });
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

verifies(
  ['WSK-60', 'WSK-61'],
  'a greeting in the address begins the link although no frame of the client arrives, and a server that ignores it waits for the frame',
  async () => {
    for (const takesGreetings of [true, false]) {
      const server = new Server();
      Object.assign(server, { takesGreetings, greeting: [hello(5), loggedLine(7, 'worker', message(7))] });
      const { items } = server.client({ url: 'ws://host/x?ticket=t#f', cursor: '4', greetIn: 'url' });
      await vi.advanceTimersByTimeAsync(0);
      // Frames of the client are dropped.
      server.network.last.silent = takesGreetings;
      await server.pass(1);
      expect(server.beginnings).toMatchObject([{ received: 4, stream: expect.any(String) }]);
      expect(numbersOf(items)).toEqual([7]);
      expect(server.network.requests[0]?.url).toMatch(/^ws:\/\/host\/x\?ticket=t&greeting=%7B%22ack%22%3A4%2C[^#]*#f$/);
    }
  },
);

test('a greeting in the address that is not one is ignored, and plain lines have none', async () => {
  const server = new Server();
  server.takesGreetings = true;
  server.client({ url: 'ws://host/?greeting=%7B%22type%22%3A%22user%22%7D' });
  await server.pass(1);
  expect([server.beginnings.length, server.lines]).toEqual([1, []]);
  const plain = new Server('');
  plain.client({ greetIn: 'url', protocols: [] });
  await plain.pass(1);
  expect(plain.network.requests[0]?.url).toBe('ws://host');
});

verifies(
  ['REM-23', 'RES-17'],
  'the numbers of the log are the cursors, and a client that gives a cursor continues after it',
  async () => {
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
    // The acknowledgement confirms to the server that everything up to 9 has arrived.
    expect(server.proofs).toEqual([9]);
  },
);

test('a line without a number is delivered without a cursor, and an event is delivered as a notice', async () => {
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

test('a notice of the log has a number: it is delivered once, in its place, and acknowledged like a message', async () => {
  const server = new Server();
  const notice = (n: number) => noticeLine(n, 'control_resolved', { request_id: `r${n}` });
  server.greeting = [
    hello(1),
    loggedLine(1, 'worker', message(1)),
    notice(2),
    notice(2),
    loggedLine(3, 'worker', message(3)),
  ];
  const { transport, items } = server.client();
  await server.pass(1);
  expect(items).toMatchObject([
    { kind: 'message', cursor: '1' },
    { kind: 'notice', event: 'control_resolved', data: { request_id: 'r2' }, cursor: '2' },
    { kind: 'message', cursor: '3' },
  ]);
  server.link.write(notice(4));
  await server.pass(1);
  transport.resumption.acknowledge('4');
  expect([transport.resumption.cursor, server.proofs.at(-1)]).toEqual(['4', 4]);
});

verifies(
  ['LINK-3', 'RES-35'],
  'a gap in the log is reported as a link that did not resume, and the messages after the gap are not dropped as old',
  async () => {
    const server = new Server();
    const gap = { reason: 'unknown_cursor', from: 3, to: 1000 };
    server.greeting = [hello(3, { gap }), loggedLine(3, 'worker', message(3))];
    const { transport, items } = server.client({ cursor: '1000' });
    await server.pass(1);
    expect(items).toMatchObject([{ kind: 'link', state: 'up', resumed: false }, { cursor: '3' }]);
    expect(transport.resumption.cursor).toBe('2');

    // The server drops messages from its log while the link is up.
    server.link.write(hello(8, { gap: { reason: 'evicted', from: 4, to: 7 } }));
    server.link.write(loggedLine(8, 'worker', message(8)));
    await server.pass(1);
    expect(linksOf(items)).toHaveLength(2);
    expect(numbersOf(items)).toEqual([3, 8]);
  },
);

verifies(
  'WSK-17',
  'a token that headers cannot carry is sent in the first frame, and requested again after a refusal',
  async () => {
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
  },
);

verifies('WSK-18', 'the platform’s own WebSocket sends the token in the first frame by default', async () => {
  const server = new Server('', async () => undefined);
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor(url: string, protocols: string[]) {
        return server.network.open({ url, protocols, headers: {} });
      }
    },
  );
  const transport = createWebSocketClientTransport({ url: 'ws://host', credential: 'secret' });
  await server.pass(1);
  vi.unstubAllGlobals();
  expect(server.tokens).toEqual(['secret']);
  // The server sends nothing at all, and the client does not wait for it.
  void transport.send(encodeBatch({ type: 'n' }));
  await server.pass(1);
  expect(server.lines).toMatchObject([{ text: '{"type":"n"}' }]);
  transport.abort();
});

test('a client that does not authenticate in time is closed with 4003, a client that does not greet in time with 1008, and a client that sends before its greeting is disconnected', async () => {
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

test('a line without a number after the greeting ends the link with 1002, because a later acknowledgement would cover the lost line', async () => {
  const server = new Server();
  server.greeting = [hello(1)];
  const socket = server.network.open({ url: 'ws://host', headers: {}, protocols: [RESUMABLE_PROTOCOL] });
  let closed: unknown;
  socket.addEventListener('close', (event) => (closed = event.code));
  await server.network.settle();
  socket.send('{"ack":0}\n');
  await server.pass(1);
  socket.send('{"id":1,"data":{"n":1}}\n');
  await server.pass(1);
  expect([server.lines.map(({ id }) => id), closed]).toEqual([[1], undefined]);
  socket.send('{"n":2}\n');
  await server.pass(1);
  expect([server.lines.map(({ id }) => id), closed, server.ended]).toEqual([[1], 1002, 1]);
});

test('on plain lines a pong confirms what was written, and the ping follows the write within seconds', async () => {
  const server = new Server('');
  server.client();
  await server.pass(1);
  server.place = 12;
  server.link.write(`${message(1)}\n`);
  await server.pass(2);
  expect(server.proofs).toEqual([12]);
});

test('a full socket makes `write` return false until it drains, and is broken on close instead of waiting for a close frame', async () => {
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

test('lines written in one turn of the event loop are corked until its end, even if a frame cannot be sent', async () => {
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

test('a client that takes a slow server for a server of plain lines loses nothing: the link ends, and the message is sent again', async () => {
  const server = new Server();
  const { transport, items } = server.client();
  const sent = transport.send(encodeBatch({ n: 1 }));
  // The server is still reading its log for this link and has not greeted, but it answers pings.
  await server.pass(3);
  expect(server.beginnings.length).toBeGreaterThan(0);
  expect(server.lines).toEqual([]);
  server.greeting = ['{"ack":0,"from":1}\n'];
  await server.pass(20);
  expect(server.lines.map(({ id, text }) => [id, JSON.parse(text ?? '')])).toEqual([
    [1, expect.objectContaining({ n: 1 })],
  ]);
  expect(transport.unacknowledged.batches()).toHaveLength(1);
  server.link.acknowledge(1);
  await server.pass(1);
  expect(transport.unacknowledged.batches()).toEqual([]);
  await sent;
  // The client missed nothing, and reports no gap.
  expect(items.filter((item) => item.kind === 'link' && item.resumed === false)).toEqual([]);
  transport.abort();
});

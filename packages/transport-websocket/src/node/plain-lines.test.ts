import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { encodeBatch, flattenIncoming, type Incoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, describe, expect, test } from 'vitest';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { createWebSocketServerTransport, selectProtocol } from '../web-socket-server-transport.ts';
import type { WebSocketClientOptions } from '../client/socket-request.ts';
import { createWebSocketClientTransport } from '../client/web-socket-client-transport.ts';
import type { OpenSocket, SocketLike } from '../socket/socket.ts';
import { openSocket } from './open-socket.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(cleanUp);

async function cleanUp(): Promise<void> {
  for (const step of cleanUps.splice(0).reverse()) await step();
}

/** Opens a socket of `ws` that, like the sockets of browsers, reports no reasons and cannot ping. */
const openAsBrowser: OpenSocket = (request) => {
  const socket = openSocket(request);
  return {
    get readyState() {
      return socket.readyState;
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    get protocol() {
      return socket.protocol;
    },
    get binaryType() {
      return socket.binaryType;
    },
    set binaryType(type) {
      socket.binaryType = type;
    },
    send: (text) => socket.send(text),
    close: (code) => socket.close(code),
    addEventListener: (type, listener) =>
      socket.addEventListener(type, ({ data, code }) =>
        listener({ type, ...(data !== undefined && { data }), ...(code !== undefined && { code }) }),
      ),
  } satisfies SocketLike;
};

/** Starts a server, and records the subprotocols each upgrade offers. Without `knows` it chooses no subprotocol; while `down` returns true it answers 503. */
async function listening({ knows = true, down = () => false, port = 0 }) {
  const offered: string[] = [];
  const options: ServerOptions = {
    host: '127.0.0.1',
    port,
    handleProtocols: (protocols) => knows && selectProtocol(protocols),
    verifyClient({ req }, allow: (yes: boolean, status: number) => void) {
      offered.push(req.headers['sec-websocket-protocol'] ?? 'none');
      allow(!down(), 503);
    },
  };
  const server = new WebSocketServer(options);
  const far = createWebSocketServerTransport({ silenceMs: 0 });
  const accepted: WebSocket[] = [];
  server.on('connection', (socket) => {
    accepted.push(socket);
    far.accept(socket);
  });
  await once(server, 'listening');
  cleanUps.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => far.abort(),
  );
  const { port: taken } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${taken}`, port: taken, offered, far, cut: () => accepted.at(-1)?.terminate() };
}

function client(options: WebSocketClientOptions): Transport {
  const transport = createWebSocketClientTransport({ baseMs: 5, capMs: 20, silenceMs: 0, ...options });
  cleanUps.push(() => transport.abort());
  return transport;
}

/** Returns the text of the next message. Link items are skipped: the server reports one for the link that the client abandons. */
async function nextText(items: AsyncIterator<Incoming>): Promise<string | undefined> {
  for (;;) {
    const { value } = await items.next();
    if (value?.kind !== 'link') return value?.kind === 'message' ? value.text : undefined;
  }
}

async function nextLink(items: AsyncIterator<Incoming>): Promise<Incoming> {
  for (;;) {
    const { value, done } = await items.next();
    if (done === true || (value.kind === 'link' && value.state === 'up')) return value;
  }
}

describe.each([
  ['ws', openSocket, ['none']],
  // A browser's socket does not say why an upgrade failed, so the client offers `sjp.v1` again on the next link.
  ['a browser', openAsBrowser, ['sjp.v1', 'none']],
])('the sockets of %s', (_, open, again) => {
  verifies('WORKER-3', 'reach a server that knows only plain lines in one attempt', async () => {
    const { url, offered, far, cut } = await listening({ knows: false });
    const asked: unknown[] = [];
    const credential = (reason: string) => {
      asked.push(reason);
      return 'secret';
    };
    const transport = client({ url, open, credential, tokenIn: 'header' });
    await transport.opened;
    expect([offered, asked]).toEqual([
      ['sjp.v1', 'none'],
      ['first', 'first'],
    ]);
    await transport.send(encodeBatch({ type: 'there' }));
    expect(await nextText(flattenIncoming(far.incoming)[Symbol.asyncIterator]())).toBe('{"type":"there"}');
    await far.send(encodeBatch({ type: 'back' }));
    const incoming = flattenIncoming(transport.incoming)[Symbol.asyncIterator]();
    expect(await nextText(incoming)).toBe('{"type":"back"}');
    cut();
    expect(await nextLink(incoming)).toMatchObject({ resumed: false });
    expect(offered).toEqual(['sjp.v1', 'none', ...again]);
    await far.close();
    // On plain lines a message may arrive twice. After these messages, the input ends.
    while ((await nextText(incoming)) === '{"type":"back"}');
    expect(await incoming.next()).toMatchObject({ done: true });
    expect(await transport.closed).toEqual({ by: 'peer', status: 1000 });
  });

  test('keep `sjp.v1` with a server that was unavailable for a while', async () => {
    let refusals = 0;
    const { url, offered, cut } = await listening({ down: () => refusals > 0 && refusals-- > 0 });
    const transport = client({ url, open });
    await transport.opened;
    const incoming = flattenIncoming(transport.incoming)[Symbol.asyncIterator]();
    refusals = 3;
    cut();
    expect(await nextLink(incoming)).toMatchObject({ resumed: true });
    expect(offered).toEqual(Array.from({ length: 5 }, () => 'sjp.v1'));
  });

  test('offer `sjp.v1` again to a server that was down at first', async () => {
    const { port } = await listening({});
    await cleanUp();
    let server: ReturnType<typeof listening> | undefined;
    let hasSeenDown = false;
    const transport = client({
      url: async () => {
        // Nothing listens during the whole first attempt.
        if (hasSeenDown) await (server ??= listening({ port }));
        return `ws://127.0.0.1:${port}`;
      },
      open,
      retryFirstConnect: true,
    });
    const incoming = flattenIncoming(transport.incoming)[Symbol.asyncIterator]();
    expect(await incoming.next()).toMatchObject({ value: { state: 'down', attempt: 2 } });
    hasSeenDown = true;
    expect(await nextLink(incoming)).toMatchObject({ state: 'up', attempt: 2 });
    expect((await server)?.offered).toEqual(['sjp.v1']);
  });

  test('offer only the configured subprotocols, and fail if the server chooses none', async () => {
    const { url, offered } = await listening({ knows: false });
    const transport = client({ url, open, protocols: ['sjp.v1'], connectDeadlineMs: 0 });
    await expect(transport.opened).rejects.toMatchObject({ code: 'connect-failed' });
    expect(offered).toEqual(['sjp.v1']);
  });
});

test('a server that answered the upgrade with a status is offered `sjp.v1` again', async () => {
  let refusals = 1;
  const { url, offered } = await listening({ down: () => refusals-- > 0 });
  await client({ url, open: openSocket }).opened;
  expect(offered).toEqual(['sjp.v1', 'sjp.v1']);
});

/** Starts a server as most people write it first: `ws` repeats the first subprotocol that it is offered. */
async function startRepeatingServer() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  cleanUps.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const lines: unknown[] = [];
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (data: Buffer) => void lines.push(JSON.parse(data.toString())));
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, server, lines, sockets };
}

describe.each([
  ['ws', openSocket],
  ['a browser', openAsBrowser],
])('a server that repeats the subprotocol, by the sockets of %s', (_, open) => {
  verifies('WORKER-3', 'is detected at its first line, and the link stays', async () => {
    const { url, server, lines, sockets } = await startRepeatingServer();
    server.on('connection', (socket) => socket.send('{"type":"there"}\n'));
    const transport = client({ url, open });
    const items = flattenIncoming(transport.incoming)[Symbol.asyncIterator]();
    expect(await items.next()).toMatchObject({ value: { kind: 'message', text: '{"type":"there"}' } });
    await transport.send(encodeBatch({ type: 'back' }));
    await transport.close();
    await expect.poll(() => lines).toMatchObject([{ type: 'keep_alive' }, { type: 'back' }]);
    expect(sockets).toHaveLength(1);
  });

  verifies('WORKER-3', 'gets the client’s messages even if it waits for them before it sends anything', async () => {
    const { url, server } = await startRepeatingServer();
    server.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { type: string };
        if (type === 'ask') socket.send('{"type":"answer"}');
      }),
    );
    const transport = client({ url, open });
    await transport.send(encodeBatch({ type: 'ask' }));
    const items = flattenIncoming(transport.incoming)[Symbol.asyncIterator]();
    expect(await items.next()).toMatchObject({ value: { kind: 'message', text: '{"type":"answer"}' } });
  });
});

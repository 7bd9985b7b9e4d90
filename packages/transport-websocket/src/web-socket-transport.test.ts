import { encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeNetwork, type FakeSocket } from './fake-network.test-support.ts';
import { createWebSocketClientTransport } from './client/web-socket-client-transport.ts';
import { createWebSocketTransport, type WebSocketOptions } from './web-socket-transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a transport over an accepted socket, and records what it delivers. */
function over(
  socket: FakeSocket,
  options?: WebSocketOptions,
): { transport: Transport; far: FakeSocket; texts: string[] } {
  const transport = createWebSocketTransport(socket, options);
  const texts: string[] = [];
  void (async () => {
    for await (const item of flattenIncoming(transport.incoming)) {
      if (item.kind === 'message') texts.push(item.text);
      if (item.kind === 'malformed') texts.push(item.error.code);
    }
    texts.push('the end');
  })().catch(({ code }) => texts.push(code));
  return { transport, far: socket.peer as FakeSocket, texts };
}

async function connected(options?: WebSocketOptions) {
  const network = new FakeNetwork();
  const socket = network.open({ url: '', headers: {}, protocols: [] });
  await network.settle();
  return { network, ...over(socket, options) };
}

/** Sends frames from the far end. */
async function receive(network: FakeNetwork, far: FakeSocket, ...frames: string[]): Promise<void> {
  for (const frame of frames) far.send(frame);
  await network.settle();
}

verifies('WORKER-3', 'the transport delivers the lines of the socket, and its input ends with the socket', async () => {
  const { network, far, texts } = await connected();
  await receive(network, far, '{"type":"a"}\n{"type":"b"}', '{"type":"ü😀"}\n');
  far.close(1000);
  await network.settle();
  expect(texts).toEqual(['{"type":"a"}', '{"type":"b"}', '{"type":"ü😀"}', 'the end']);
});

verifies('LINK-17', 'a transport listens from its creation on, without a start call', async () => {
  const network = new FakeNetwork();
  const socket = network.open({ url: '', headers: {}, protocols: [] });
  const transport = createWebSocketTransport(socket);
  await network.settle();
  await expect(transport.opened).resolves.toBeUndefined();
});

verifies('LINK-18', '`close` closes the socket, and resolves after the input has ended', async () => {
  const { network, transport, far, texts } = await connected();
  const closing = transport.close();
  await network.settle();
  await closing;
  expect([far.readyState, texts]).toEqual([3, ['the end']]);
});

test.each([1000, 1001, 1005])('close code %i is a clean end', async (code) => {
  const { network, transport, far } = await connected();
  far.close(code);
  await network.settle();
  expect(await transport.closed).toEqual({ by: 'peer', status: code });
});

test('any other close code is a lost link', async () => {
  const { network, transport, texts } = await connected();
  network.cut();
  expect(await transport.closed).toMatchObject({ by: 'link', status: 1006, error: { code: 'lost' } });
  await network.settle();
  expect(texts).toEqual(['lost']);
});

test('`close` and `abort` during connecting never throw', async () => {
  for (const how of ['close', 'abort'] as const) {
    const network = new FakeNetwork();
    network.onAttempt = () => {};
    const socket = network.open({ url: '', headers: {}, protocols: [] });
    const transport = createWebSocketTransport(socket);
    transport.opened.catch(() => {});
    void transport[how]();
    expect((await transport.closed).by).toBe('local');
    expect(socket.readyState).toBe(3);
  }
});

test('`send` stays pending while the socket buffers too many bytes, and resolves when the buffer has drained', async () => {
  const { network, transport } = await connected({ maxBufferedBytes: 10 });
  const { last } = network;
  last.bufferedAmount = 11;
  const settled: string[] = [];
  void transport.send(encodeBatch({ type: 'a' })).then(() => settled.push('a'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(settled).toEqual([]);
  last.bufferedAmount = 10;
  await vi.advanceTimersByTimeAsync(10);
  expect(settled).toEqual(['a']);
});

/** Records what happens to a socket, in order. Sending the frame `failing` throws. */
function recordCorking(socket: FakeSocket, failing?: string): string[] {
  const log: string[] = [];
  const send = (text: string) => {
    if (text === failing) throw new Error('no frame');
    log.push(text);
  };
  Object.assign(socket, { send, cork: () => log.push('cork'), uncork: () => log.push('uncork') });
  return log;
}

verifies('WSK-14', 'the frames of one batch are corked until the last one is written', async () => {
  const { network, transport } = await connected();
  const log = recordCorking(network.last);
  await transport.send(encodeBatch({ type: 'a' }, { type: 'b' }));
  expect(log).toEqual(['cork', '{"type":"a"}\n', '{"type":"b"}\n', 'uncork']);
});

test('the socket is uncorked even if a frame cannot be sent', async () => {
  const { network, transport } = await connected();
  const log = recordCorking(network.last, '{"type":"b"}\n');
  await expect(transport.send(encodeBatch({ type: 'a' }, { type: 'b' }))).rejects.toThrow('no frame');
  expect(log).toEqual(['cork', '{"type":"a"}\n', 'uncork']);
});

test('a line above the limit is reported in its place', async () => {
  const { network, far, texts } = await connected({ maxLineBytes: 20 });
  await receive(network, far, '{"type":"a"}\n', `{"type":"${'x'.repeat(20)}"}\n`, '{"type":"b"}\n');
  expect(texts).toEqual(['{"type":"a"}', 'too-large', '{"type":"b"}']);
});

verifies(
  ['LINK-13', 'WSK-30'],
  'a socket without ping sends keep_alive in every interval, and none if the interval is 0',
  async () => {
    for (const [silenceMs, expected] of [
      [45_000, 4],
      [0, 0],
    ] as const) {
      const network = new FakeNetwork();
      const socket = network.open({ url: '', headers: {}, protocols: [] });
      await network.settle();
      // Sockets in a browser have no `ping`.
      Object.assign(socket, { ping: undefined });
      const { texts } = over(socket.peer as FakeSocket, { silenceMs: 0 });
      over(socket, { silenceMs });
      for (let second = 0; second < 60; second++) {
        await vi.advanceTimersByTimeAsync(1000);
        await network.settle();
      }
      expect(texts).toEqual(Array.from({ length: expected }, () => '{"type":"keep_alive"}'));
    }
  },
);

test('a beat asks with the number of what is not proved, and without data if all is', async () => {
  const network = new FakeNetwork();
  const socket = network.open({ url: '', headers: {}, protocols: [] });
  const client = createWebSocketClientTransport({ url: 'ws://host', open: () => socket });
  await network.settle();
  await vi.advanceTimersByTimeAsync(15_000);
  await network.settle();
  void client.send(encodeBatch({ type: 'a' }));
  await vi.advanceTimersByTimeAsync(15_000);
  await network.settle();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(socket.pings).toEqual(['', '1', '']);
});

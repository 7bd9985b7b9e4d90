/** Tests of the server on Node over real sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccounts } from '../auth/accounts.ts';
import { readFrames } from '../ingress.test-support.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { listen, type ListenOptions } from './listen.ts';

const TOKEN = 'driver-token-0123456789';

async function start(options: Partial<ListenOptions> = {}) {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const server = await listen({ log: createMemoryEventLog(), accounts, ...options });
  onTestFinished(() => server.close());
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}` } });
  const post = (path: string, body: unknown) => call(path, { method: 'POST', body: JSON.stringify(body) });
  const created = (await (await post('/v1/code/sessions', {})).json()) as { session: { id: string } };
  const base = `/v1/code/sessions/${created.session.id}`;
  const send = (uuid: string, members = {}) =>
    post(`${base}/events`, { events: [{ payload: { type: 'user', uuid, ...members } }] });
  const view = async (init: RequestInit = {}) => readFrames(await call(`${base}/events/stream`, init));
  const raw = async (head: string): Promise<Socket> => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(head);
    return socket;
  };
  return { server, base, call, post, send, view, raw };
}

const head = (line: string, headers: readonly string[] = []) =>
  [`${line} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${TOKEN}`, ...headers, '', ''].join('\r\n');

test('a server listens on this machine only, and streams the messages that it receives', async () => {
  const { server, send, view } = await start();
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const viewer = await view();
  for (let n = 1; n <= 20; n++) await send(String(n));
  await viewer.take(20);
  expect(viewer.of('client_event').map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => String(n + 1)));
  await viewer.close();
});

verifies(
  'SERVER-5',
  'no connection can end the server: garbage, upgrades, incomplete requests, 1000 short connections',
  async () => {
    const { base, send, view, raw, call } = await start();
    const garbage = await raw('\x00\xff not http\r\n\r\n');
    expect(await text(garbage)).toMatch(/^(HTTP\/1\.1 400|$)/);
    const upgrade = await raw(
      head(`GET ${base}/events/stream`, ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x']),
    );
    const huge = await raw(head(`GET ${base}`, [`X: ${'y'.repeat(100_000)}`]));
    expect(await text(huge)).toMatch(/^(HTTP\/1\.1 431|$)/);
    for (let n = 0; n < 20; n++) {
      const cut = await raw(`${head(`POST ${base}/events`, ['Content-Length: 1000'])}{"events":[{"payload":`);
      cut.resetAndDestroy();
    }
    for (let n = 0; n < 100; n++) {
      const viewers = Array.from({ length: 10 }, async () => {
        const leaving = new AbortController();
        const viewer = await view({ signal: leaving.signal });
        viewer.ended.catch(() => {});
        leaving.abort();
      });
      await Promise.all(viewers);
    }
    upgrade.destroy();
    // The number of streams is limited, so this stream can open only after all clients have left.
    const viewer = await vi.waitFor(() => view(), { timeout: 10_000 });
    expect((await send('after')).status).toBe(200);
    expect(await viewer.take(1)).toEqual([{ type: 'user', uuid: 'after' }]);
    expect((await call('/healthz')).status).toBe(200);
    await viewer.close();
  },
);

test('a request that is not complete in time is cut', async () => {
  const { base, raw, send } = await start({ limits: { requestTimeoutMs: 100 } });
  const slow = await raw(`${head(`POST ${base}/events`, ['Content-Length: 1000'])}{`);
  const slower = await raw('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ');
  await Promise.all([text(slow), text(slower)]);
  expect((await send('after')).status).toBe(200);
});

test('a socket that is not read blocks no other client, and is cut', async () => {
  const { base, send, view, raw } = await start({ limits: { stallTimeoutMs: 100 } });
  const stalled = await raw(head(`GET ${base}/events/stream`));
  stalled.pause();
  const viewer = await view();
  const large = { text: 'x'.repeat(500_000) };
  for (let n = 1; n <= 30; n++) {
    await send(String(n), large);
    await viewer.take(n);
  }
  const closed = once(stalled, 'close');
  stalled.resume();
  await closed;
  expect(stalled.bytesRead).toBeLessThan(30 * large.text.length);
  await viewer.close();
});

test('connections are limited, and a connection that reads no answer is closed to make room', async () => {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const log = createMemoryEventLog();
  const server = await listen({ log, accounts, limits: { stallTimeoutMs: 500, keepaliveMs: 100, maxConnections: 1 } });
  onTestFinished(() => server.close());
  // Sends a POST without a network connection.
  const post = (path: string, body: object) =>
    server.fetch(
      new Request(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify(body),
      }),
    );
  const { session } = (await (await post('/v1/code/sessions', {})).json()) as { session: { id: string } };
  const path = `/v1/code/sessions/${session.id}/events`;
  await post(path, { events: [{ payload: { type: 'user', text: 'x'.repeat(25_000_000) } }] });
  const open = async (line: string) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(head(line, ['Connection: close']));
    return socket;
  };
  const isServed = async () => (await text(await open('GET /healthz')).catch(() => '')).startsWith('HTTP/1.1 200');
  expect(await isServed()).toBe(true);
  const stalled = await open(`GET ${path}`);
  await once(stalled, 'readable');
  expect(await isServed()).toBe(false);
  await vi.waitFor(async () => expect(await isServed()).toBe(true), { timeout: 10_000, interval: 100 });
  stalled.destroy();
});

test('a port that is in use rejects', async () => {
  const { server } = await start();
  await expect(start({ port: Number(new URL(server.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('close ends the streams and frees the port', async () => {
  const { server, view } = await start();
  const viewer = await view();
  await server.close();
  await viewer.ended;
  await expect(fetch(server.url)).rejects.toThrow();
});

test('a client that leaves in the middle of its body causes no error of the server, and nothing is stored', async () => {
  const onError = vi.fn();
  const { base, raw, send, view } = await start({ onError });
  const cut = await raw(head(`POST ${base}/events`, ['Content-Type: application/json', 'Content-Length: 1000']));
  cut.write('{"events":[{"payload":{"type":"user","uuid":"cut"');
  // The server answers requests in order, so it has seen the first bytes when another request is answered.
  await send('meanwhile');
  cut.destroy();
  await once(cut, 'close');
  await send('after');
  const viewer = await view();
  await viewer.take(2);
  expect(viewer.of('client_event').map(({ id }) => id)).toEqual(['1', '2']);
  expect(onError).not.toHaveBeenCalled();
  await viewer.close();
});

test('a stream above the limit is refused with the time after which the client may try again', async () => {
  const { call, base, view } = await start({ limits: { maxStreams: 1 } });
  const viewer = await view();
  const refused = await call(`${base}/events/stream`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  await viewer.close();
});

test('close cuts off a request whose body does not end, after five seconds', async () => {
  const { server, base, raw } = await start();
  const socket = await raw(head(`POST ${base}/events`, ['Content-Length: 10', 'Expect: 100-continue']));
  await once(socket, 'data');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const cut = once(socket, 'close');
  const closed = server.close();
  await vi.advanceTimersByTimeAsync(5000);
  await Promise.all([cut, closed]);
});

test('close does not wait for a connection over which nothing was sent, such as one that a browser opens in advance', async () => {
  const { server, raw, send } = await start();
  const socket = await raw('');
  // The server accepts connections in order.
  await send('meanwhile');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const cut = once(socket, 'close');
  await server.close();
  await cut;
});

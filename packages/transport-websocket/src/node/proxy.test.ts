import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { encodeBatch, flattenIncoming } from '@proto/core/transport';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { createWebSocketTransport } from '../web-socket-transport.ts';
import { openSocket } from './open-socket.ts';
import { proxyFor } from './proxy.ts';

afterEach(() => void vi.unstubAllEnvs());

const env = {
  https_proxy: 'http://secure:1',
  HTTP_PROXY: 'plain:2',
  NO_PROXY: 'a.example, .b.example,c.example:99 *.d.example',
};

test.each([
  ['wss://far.example', 'secure:1'],
  ['ws://far.example', 'plain:2'],
  ['wss://a.example', undefined],
  ['wss://deep.a.example', undefined],
  ['wss://not-a.example', 'secure:1'],
  ['wss://x.b.example', undefined],
  ['wss://c.example', 'secure:1'],
  ['wss://c.example:99', undefined],
  ['wss://x.d.example', undefined],
  ['wss://localhost:8', undefined],
  ['ws://127.0.0.1:8', undefined],
  ['ws://[::1]:8', undefined],
])('the proxy for %s is %s', (url, proxy) => {
  expect(proxyFor(new URL(url), env)?.host).toBe(proxy);
});

test('no proxy is used if the environment names none, or if NO_PROXY is *', () => {
  expect(proxyFor(new URL('wss://far.example'), {})).toBeUndefined();
  expect(proxyFor(new URL('wss://far.example'), { ...env, NO_PROXY: '*' })).toBeUndefined();
});

/** Starts a server that sends a greeting, and a proxy that tunnels every request to that server or answers with a status. */
async function proxied(status = 200) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => socket.send('{"type":"hello"}\n'));
  await once(server, 'listening');
  const asked: unknown[] = [];
  const proxy = createServer().on('connect', ({ url, headers }, client) => {
    asked.push([url, headers['proxy-authorization']]);
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const far = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      far.pipe(client).pipe(far);
    });
    for (const each of [far, client]) each.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  vi.stubEnv('no_proxy', '');
  vi.stubEnv('http_proxy', `http://me:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  const close = () => {
    server.close();
    proxy.close();
  };
  return { asked, close };
}

const connectFar = () =>
  createWebSocketTransport(openSocket({ url: 'ws://far.example/x', headers: {}, protocols: [] }));

test('the link goes through the proxy that the environment names', async () => {
  const { asked, close } = await proxied();
  const transport = connectFar();
  await transport.send(encodeBatch({ type: 'a' }));
  for await (const item of flattenIncoming(transport.incoming)) {
    expect(item).toMatchObject({ text: '{"type":"hello"}' });
    break;
  }
  await transport.closed;
  expect(asked).toEqual([['far.example:80', `Basic ${Buffer.from('me:p@ss').toString('base64')}`]]);
  close();
});

test('an attempt that the proxy refuses fails, and the error does not show the password', async () => {
  const { close } = await proxied(407);
  const error = await connectFar().opened.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'connect-failed', cause: { message: 'the proxy answered with status 407' } });
  expect(String(error)).not.toContain('p@ss');
  close();
});

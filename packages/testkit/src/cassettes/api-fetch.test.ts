import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startApi, ask, user } from './api.test-support.ts';
import { apiFetch, withThisMachine } from './api-fetch.ts';
import { recordCassette } from './record-cassette.ts';

/** An HTTP proxy that records requests and opens tunnels without a destination. */
async function startProxy() {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('from the proxy');
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

test('requests to the API use the proxy of the environment', async () => {
  const { url, asked } = await startProxy();
  const secure = await apiFetch({ HTTPS_PROXY: url });
  await expect(secure('https://api.test/v1/messages', { method: 'POST', body: '{}' })).rejects.toThrow();
  const plain = await apiFetch({ http_proxy: url.replace('http://', ''), NO_PROXY: 'direct.test' });
  // A proxy for `http:` is also asked for a tunnel.
  await expect(plain('http://api.test/v1/models', {})).rejects.toThrow();
  expect(asked).toEqual(['CONNECT api.test:443', 'CONNECT api.test:80']);
});

test('requests to this machine, and requests of a scheme without a proxy, use no proxy', async () => {
  const { url, asked } = await startProxy();
  const api = await startApi(['direct']);
  const tape = await recordCassette({
    upstream: api.url,
    write: () => {},
    fetch: await apiFetch({ HTTPS_PROXY: url, HTTP_PROXY: url }),
  });
  expect((await ask(tape.env['ANTHROPIC_BASE_URL'], [user('go')])).text).toContain('direct');
  await tape.close();
  // The agent also reaches the tape without a proxy.
  expect(tape.env['NO_PROXY']?.split(',')).toContain('127.0.0.1');
  const secureOnly = await apiFetch({ HTTPS_PROXY: url });
  expect((await secureOnly(`${api.url}/v1/models`, {})).status).toBe(200);
  expect(asked).toEqual([]);
});

test('a proxy that is not a URL is refused without its password', async () => {
  await expect(apiFetch({ HTTPS_PROXY: 'http://user:hunter2@[bad' })).rejects.toThrow(
    /^the proxy set in the environment variables is not a URL$/,
  );
});

test.each([
  ['', 'localhost,127.0.0.1,[::1]'],
  ['intern.test', 'intern.test,localhost,127.0.0.1,[::1]'],
  ['a, *', '*'],
])('of %j, hosts without a proxy are %j', (listed, expected) => {
  expect(withThisMachine(listed)).toBe(expected);
});

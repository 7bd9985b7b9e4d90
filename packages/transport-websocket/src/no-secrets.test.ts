import { inspect } from 'node:util';
import { type Transport, TransportError } from '@proto/core/transport';
import { afterEach, expect, test, vi } from 'vitest';
import { openSocket } from './node/open-socket.ts';
import { proxyFor } from './node/proxy.ts';
import { createWebSocketClientTransport } from './client/web-socket-client-transport.ts';
import { createWebSocketTransport } from './web-socket-transport.ts';
import type { OpenSocket, SocketRequest } from './socket/socket.ts';
import { openWebSocket } from './client/socket-request.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const SECRET = /s3cret/;
const shown = (value: unknown) => inspect(value, { depth: Infinity, showHidden: true });

/** Returns everything that a transport reports about its end, as text. */
async function reportOf(transport: Transport): Promise<string> {
  const opened = await transport.opened.catch((error: unknown) => error);
  const items: unknown[] = [];
  try {
    for await (const some of transport.incoming) items.push(...some);
  } catch (error) {
    items.push(error);
  }
  return shown([opened, items, await transport.closed]);
}

/** Throws as the sockets of browsers do: the error quotes the URL and the protocols. */
class PlatformSocket {
  constructor(url: string, protocols: string[]) {
    throw new SyntaxError(`Failed to construct 'WebSocket': '${url}' with '${protocols.join()}' is invalid.`);
  }
}

const OPENERS: Readonly<Record<string, OpenSocket>> = { ws: openSocket, platform: openWebSocket };

test.each(Object.entries(OPENERS))(
  'a URL with a user or a password is refused at once, without opening a socket: %s',
  async (_, open) => {
    vi.stubGlobal('WebSocket', PlatformSocket);
    for (const user of ['user:s3cret', 's3cret', ':s3cret']) {
      const url = `ws://${user}@127.0.0.1:9/?ticket=s3cret`;
      const opened = vi.fn(open);
      const transport = createWebSocketClientTransport({ url, open: opened });
      await expect(transport.opened).rejects.toMatchObject({ code: 'connect-failed', retryable: false });
      expect(await reportOf(transport)).not.toMatch(SECRET);
      expect(opened).not.toHaveBeenCalled();
    }
  },
);

test('`openSocket` itself refuses a URL with a user or a password', () => {
  const request = { url: 'ws://user:s3cret@127.0.0.1:9/', headers: {}, protocols: [] };
  expect(() => openSocket(request)).toThrow(TransportError);
  expect(() => openSocket(request)).toThrow('a user or a password');
});

test.each(Object.entries(OPENERS))(
  'no error quotes an invalid URL, a query, a header or a token: %s',
  async (_, open) => {
    vi.stubGlobal('WebSocket', PlatformSocket);
    const from = 'ws://127.0.0.1:9/?ticket=s3cret';
    for (const options of [
      { url: 'ws://user:s3cret@ho st/?ticket=s3cret' },
      { url: 'ws://host:port/?ticket=s3cret' },
      { url: 'ftp://host/?ticket=s3cret' },
      { url: `${from}#s3cret` },
      { url: from },
      { url: from, headers: { 'X-Key': 's3cret\n' } },
      { url: from, credential: 's3cret\0word' },
      { url: from, protocols: ['s3cret word'] },
    ]) {
      const transport = createWebSocketClientTransport({ ...options, open, connectDeadlineMs: 0, baseMs: 1 });
      expect(await reportOf(transport)).not.toMatch(SECRET);
    }
  },
);

test('no error of a custom `open`, thrown or emitted by its socket, shows a secret', async () => {
  const broken = (request: SocketRequest) => Object.assign(new Error(`${request.url} failed`), { request });
  const throwing: OpenSocket = (request) => {
    throw broken(request);
  };
  const emitting: OpenSocket = (request) => ({
    readyState: 0,
    bufferedAmount: 0,
    protocol: '',
    binaryType: 'arraybuffer',
    send() {},
    close() {},
    addEventListener(type, listener) {
      if (type === 'error') queueMicrotask(() => listener({ type, error: broken(request) }));
      if (type === 'close') queueMicrotask(() => listener({ type, code: 1006 }));
    },
  });
  const request = { url: 'ws://host/?ticket=s3cret', headers: { Authorization: 'Bearer s3cret' }, protocols: [] };
  for (const open of [throwing, emitting]) {
    const transport = createWebSocketClientTransport({ ...request, credential: 's3cret', open, connectDeadlineMs: 0 });
    expect(await reportOf(transport)).not.toMatch(SECRET);
  }
  expect(await reportOf(createWebSocketTransport(emitting(request)))).not.toContain('ticket');
});

test('the error for an invalid proxy URL does not quote the URL', async () => {
  const proxy = 'http://user:s3cret@ho st:1';
  expect(() => proxyFor(new URL('ws://far.example'), { http_proxy: proxy })).toThrow(
    'the proxy URL in HTTP_PROXY or HTTPS_PROXY is invalid',
  );
  vi.stubEnv('http_proxy', proxy);
  const transport = createWebSocketClientTransport({ url: 'ws://far.example', open: openSocket, connectDeadlineMs: 0 });
  expect(await reportOf(transport)).not.toMatch(SECRET);
});

import { afterEach, expect, test, vi } from 'vitest';
import type { OpenSocket, SocketRequest } from '../socket/socket.ts';
import { webSocket } from './web-socket.ts';
import { webSocketScheme } from './web-socket-scheme.ts';

const opened: SocketRequest[] = [];
const open: OpenSocket = (request) => {
  opened.push(request);
  throw new Error('no socket in this test');
};
afterEach(() => void opened.splice(0));

const SUBSCRIBE = '//host/v1/sessions/ws/cse_1/subscribe';

test.each([
  ['wss://host/v1/code/sessions/cse_1', `wss:${SUBSCRIBE}`],
  ['ws://host/v1/code/sessions/cse_1/', `ws:${SUBSCRIBE}`],
  ['https://host/v1/code/sessions/cse_1?a=b', `wss:${SUBSCRIBE}?a=b`],
  ['http://host:81/base/v1/code/sessions/cse_1', `ws://host:81/base/v1/sessions/ws/cse_1/subscribe`],
  ['wss://host/any/other/path', 'wss://host/any/other/path'],
  ['https://host/agent', 'wss://host/agent'],
])('%s connects to %s, with the token in a header', async (url, expected) => {
  await expect(webSocket(url, { token: 't0ken', open }).opened).rejects.toMatchObject({ code: 'connect-failed' });
  expect(opened).toEqual([expect.objectContaining({ url: expected, headers: { Authorization: 'Bearer t0ken' } })]);
});

test('an address of a session connects as a URI too', async () => {
  await expect(webSocketScheme.connect('wss://host/v1/code/sessions/cse_1', { open }).opened).rejects.toThrow();
  expect(opened).toMatchObject([{ url: `wss:${SUBSCRIBE}` }]);
});

test.each(['wss://user:s3cret@host/v1/code/sessions/cse_1', 's3cret'])('%s is refused, without a quote', (url) => {
  expect(() => webSocket(url, { open })).toThrow(expect.objectContaining({ code: 'connect-failed' }) as Error);
  expect(() => webSocket(url, { open })).not.toThrow(/s3cret/);
  expect(opened).toEqual([]);
});

test('a platform whose sockets have no headers connects with its WebSocket, although there is a token', async () => {
  vi.doMock('#open-socket', () => ({ openSocket: undefined }));
  vi.resetModules();
  const addresses: string[] = [];
  class PageSocket {
    constructor(url: string) {
      addresses.push(url);
      throw new Error('no socket in this test');
    }
  }
  vi.stubGlobal('WebSocket', PageSocket);
  const inPage = await import('./web-socket.ts');
  await expect(inPage.webSocket('wss://host/x', { token: 't0ken' }).opened).rejects.toThrow();
  expect(addresses).toEqual(['wss://host/x']);
  vi.unstubAllGlobals();
});

/** Misuses WebSocket servers and clients: nothing that a peer does ends the process or leaks resources. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { encodeBatch, flattenIncoming } from '@proto/core/transport';
import {
  type WebSocketServerTransport,
  createWebSocketServerTransport,
  createWebSocketClientTransport,
} from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Loopback, loopback } from './loopback.test-support.ts';
import { activeResources } from './active-resources.test-support.ts';

let session: WebSocketServerTransport;
let server: Loopback;

beforeEach(async () => {
  session = createWebSocketServerTransport();
  server = await loopback((socket) => session.accept(socket));
});
afterEach(() => server.close());

const clientOf = () => createWebSocketClientTransport({ url: server.url, open: openSocket, baseMs: 1, capMs: 5 });

test.each([
  'no HTTP at all\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n\xff\xff\xff\xff garbage instead of a frame',
])('a malformed upgrade: %j', async (bytes) => {
  const raw = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
  raw.end(Buffer.from(bytes, 'latin1'));
  raw.resume();
  await once(raw, 'close');
  const client = clientOf();
  await client.opened;
  await client.close();
});

test('a thousand reconnects leak nothing and lose no message', { timeout: 120_000 }, async () => {
  const rounds = 1000;
  const client = clientOf();
  await client.opened;
  const before = process.getActiveResourcesInfo().length;
  const numbers: unknown[] = [];
  const reading = (async () => {
    for await (const item of flattenIncoming(session.incoming)) {
      if (item.kind === 'message') numbers.push(item.read().message?.['n']);
      if (numbers.length === rounds) return;
    }
  })();
  let n = 0;
  server.cut();
  for await (const item of flattenIncoming(client.incoming)) {
    if (item.kind !== 'link') continue;
    if (item.state === 'down') void client.send(encodeBatch({ type: 'n', n: ++n }));
    else if (n < rounds) server.cut();
    else break;
  }
  await reading;
  expect(numbers).toEqual(Array.from({ length: rounds }, (_, index) => index + 1));
  await client.closed;
  expect(await activeResources(before)).toBeLessThanOrEqual(before);
});

test('of two clients the later one takes the session over; the earlier one gets an error and does not reconnect', async () => {
  const first = clientOf();
  await first.opened;
  const second = clientOf();
  await second.opened;
  expect(await first.closed).toMatchObject({ status: 4090, error: { code: 'rejected', retryable: false } });
  const reader = flattenIncoming(session.incoming);
  await second.send(encodeBatch({ type: 'mine' }));
  let text: string | undefined;
  for await (const item of reader) {
    if (item.kind !== 'message') continue;
    text = item.text;
    break;
  }
  expect(text).toBe('{"type":"mine"}');
  await second.close();
});

test('the error of a refused upgrade has its status', async () => {
  server.refuse(404);
  await expect(clientOf().opened).rejects.toMatchObject({ code: 'rejected', status: 404 });
});

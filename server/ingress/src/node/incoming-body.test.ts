/** Tests of POSTs of messages on their own connection: bodies in pieces, cut off, and refused before they were read. */
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { TOKENS } from '../ingress.test-support.ts';
import { afterwards, start } from '../socket/socket-suite.test-support.ts';

async function startPosts(options: Parameters<typeof start>[0] = {}) {
  const { server, newSession } = await start(options);
  const { base } = await newSession();
  const { port } = new URL(server.url);
  const open = (length: number, token = TOKENS.driver) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    afterwards(() => socket.destroy());
    const lines = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, `Content-Length: ${length}`];
    socket.write([`POST ${base}/events HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    return socket;
  };
  const stored = async () => {
    const headers = { authorization: `Bearer ${TOKENS.driver}` };
    const answer = await fetch(`${server.url}${base}/events`, { headers });
    return ((await answer.json()) as { readonly data: readonly unknown[] }).data.length;
  };
  return { server, open, stored };
}

/** The status of the first answer on a connection. */
async function statusOn(socket: Socket): Promise<number> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('\r\n\r\n')) break;
  }
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

const BODY = JSON.stringify({ events: [{ payload: { type: 'user', text: 'héllo' } }] });

test('a body is read in pieces of any size', async () => {
  const { open, stored } = await startPosts();
  const bytes = Buffer.from(BODY);
  const socket = open(bytes.length).setNoDelay();
  for (const byte of bytes) await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
  expect(await statusOn(socket)).toBe(200);
  expect(await stored()).toBe(1);
});

test('nothing of a body is stored whose client leaves before its end', async () => {
  const { server, open, stored } = await startPosts();
  const socket = open(Buffer.byteLength(BODY) + 1);
  await new Promise((resolve) => socket.write(BODY, resolve));
  socket.destroy();
  expect(await stored()).toBe(0);
  // `close` fulfils when the request is answered, so the request no longer waits for its body.
  await server.close();
});

test('the whole body of a client that has left still counts', async () => {
  const { server, open, stored } = await startPosts();
  const socket = open(Buffer.byteLength(BODY));
  await new Promise<void>((resolve) => socket.end(BODY, resolve));
  await expect.poll(stored).toBe(1);
  await server.close();
});

test('a client that is refused before its body was read can read why, and use its connection again', async () => {
  const { open } = await startPosts();
  const filler = Buffer.alloc(1024 * 1024, ' ');
  const socket = open(filler.length, 'no-such-token-0123456789');
  socket.write(filler);
  expect(await statusOn(socket)).toBe(401);
  socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  expect(await statusOn(socket)).toBe(200);
});

test('a refused client that never ends its body loses its connection', async () => {
  const { open } = await startPosts();
  const socket = open(1_000_000, 'no-such-token-0123456789');
  expect(await statusOn(socket)).toBe(401);
  await new Promise((resolve) => socket.once('close', resolve).resume());
});

test('a refused client may take longer than a moment to send the rest of its body', async () => {
  const { open } = await startPosts();
  const piece = Buffer.alloc(500_000, ' ');
  const count = 8;
  const socket = open(count * piece.length, 'no-such-token-0123456789');
  for (let sent = 0; sent < count; sent++) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await statusOn(socket)).toBe(401);
  socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  expect(await statusOn(socket)).toBe(200);
});

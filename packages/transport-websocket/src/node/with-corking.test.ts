import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketLike } from '../socket/socket.ts';
import { createWebSocketTransport } from '../web-socket-transport.ts';
import { openSocket } from './open-socket.ts';
import { withCorking } from '../socket/with-corking.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(() => cleanUps.splice(0).forEach((step) => void step()));

/** Connects the two ends of one socket, as transports with the TCP connections under them. */
async function connected({ isGiven = true } = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  cleanUps.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = openSocket({ url: `ws://127.0.0.1:${port}`, headers: {}, protocols: [] });
  const client = ends(socket, once(socket as WebSocket, 'upgrade') as Promise<[{ socket: Socket }]>);
  const [accepted, request] = (await once(server, 'connection')) as [WebSocket, { socket: Socket }];
  const far = isGiven ? withCorking(accepted, request.socket) : accepted;
  return { client: await client, server: await ends(far, Promise.resolve([request])) };
}

async function ends(socket: SocketLike, upgrade: Promise<[{ socket: Socket }]>) {
  const transport = createWebSocketTransport(socket, { silenceMs: 0 });
  cleanUps.push(() => transport.abort());
  const [{ socket: connection }] = await upgrade;
  await transport.opened;
  // Node calls `_write` for one chunk, and `_writev` for several that waited.
  const writes = [vi.spyOn(connection, '_write'), vi.spyOn(connection, '_writev' as never)];
  return {
    socket: socket as WebSocket,
    transport,
    connection,
    writes: () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0),
  };
}

const batch = encodeBatch({ type: 'a' }, { type: 'b', text: 'ü\n😀' }, { type: 'c' });

async function take({ incoming }: Transport, count: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of flattenIncoming(incoming)) {
    if (item.kind === 'message') texts.push(item.text);
    if (texts.length === count) break;
  }
  return texts;
}

test.each([
  ['client', 'server'],
  ['server', 'client'],
] as const)('the %s sends the messages of a batch in one write, each in its own frame', async (from, to) => {
  const { [from]: near, [to]: far } = await connected();
  await near.transport.send(batch);
  expect([near.writes(), near.connection.writableCorked]).toEqual([1, 0]);
  expect(await take(far.transport, 3)).toEqual(Array.from(batch.messages(), ({ text }) => text));
});

test('a socket without its TCP connection writes each frame by itself', async () => {
  const { server, client } = await connected({ isGiven: false });
  await server.transport.send(batch);
  expect(server.writes()).toBe(3);
  expect(await take(client.transport, 3)).toHaveLength(3);
});

describe.each([
  ['client', 'server'],
  ['server', 'client'],
] as const)('frames of the %s', (from, to) => {
  const line = (length: number) => JSON.stringify({ type: 'a', text: 'ü'.repeat(length) });

  test.each([
    ['text', 10],
    ['text', 100_000],
    ['binary', 10],
    ['binary', 100_000],
  ])('are read: %s of %i characters', async (kind, length) => {
    const { [from]: near, [to]: far } = await connected();
    near.socket.send(Buffer.from(line(length)), { binary: kind === 'binary' });
    expect(await take(far.transport, 1)).toEqual([line(length)]);
  });

  test.each([10, 100_000])('are refused with invalid UTF-8, of %i bytes', async (length) => {
    const { [from]: near, [to]: far } = await connected();
    const text = Buffer.from(line(length));
    text[text.length - 3] = 0xff;
    const closed = once(near.socket, 'close');
    near.socket.send(text, { binary: false });
    expect((await closed)[0]).toBe(1007);
    await expect(take(far.transport, 1)).rejects.toMatchObject({ code: 'lost' });
  });
});

test('a client gets a frame above 64 KiB as bytes', async () => {
  const { client, server } = await connected();
  const frames: unknown[] = [];
  (client.socket as SocketLike).onFrame?.((frame) => void frames.push(frame));
  server.socket.send('x'.repeat(65_536));
  server.socket.send('x'.repeat(65_537));
  await expect.poll(() => frames).toHaveLength(2);
  expect(frames).toEqual(['x'.repeat(65_536), expect.any(Uint8Array)]);
});

test('a transport of a client listens for frames as bytes before its socket is open', () => {
  const socket = openSocket({ url: 'ws://127.0.0.1:9', headers: {}, protocols: [] });
  const onFrame = vi.spyOn(socket, 'onFrame' as never);
  createWebSocketTransport(socket).abort();
  expect(onFrame).toHaveBeenCalledOnce();
});

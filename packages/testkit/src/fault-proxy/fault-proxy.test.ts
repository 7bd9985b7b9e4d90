import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFaultProxy } from './fault-proxy.ts';
import type { ProxyFaults } from './proxied-connection.ts';

/** A server with scripted output, and a client that connects to the server through a proxy. */
async function open(faults?: ProxyFaults) {
  const received: string[] = [];
  const server = createServer(
    (socket) => void socket.on('data', (data) => received.push(String(data))).on('error', () => {}),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const arrived = once(server, 'connection') as Promise<[Socket]>;
  const proxy = await startFaultProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, faults);
  onTestFinished(() => proxy.close());
  const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  const pieces: string[] = [];
  const end: string[] = [];
  client.on('data', (data) => pieces.push(String(data)));
  client.on('error', (error: NodeJS.ErrnoException) => end.push(error.code ?? '')).on('end', () => end.push('FIN'));
  onTestFinished(() => void client.destroy());
  return { proxy, client, pieces, end, received, arrived };
}

async function opened(faults?: ProxyFaults) {
  const pair = await open(faults);
  const [remote] = await pair.arrived;
  onTestFinished(() => void remote.destroy());
  remote.setNoDelay(true);
  return { ...pair, remote };
}

const until = (check: () => void) => vi.waitFor(check, { interval: 1, timeout: 10_000 });

test('bytes are passed unchanged in both directions, with the end of each side', async () => {
  const { client, remote, pieces, received, end } = await opened();
  const much = 'x'.repeat(3_000_000);
  client.end(`${much}up`);
  remote.end(`${much}down`);
  await until(() => expect([end, received.join('').length]).toEqual([['FIN'], much.length + 2]));
  expect(pieces.join('') === `${much}down` && received.join('') === `${much}up`).toBe(true);
});

test('a reset that follows an end at once closes the connection', async () => {
  const { proxy } = await opened();
  const client = connect({ port: Number(new URL(proxy.url).port), host: '127.0.0.1', allowHalfOpen: true });
  const broken = new Promise<NodeJS.ErrnoException>((resolve) => client.once('error', resolve));
  onTestFinished(() => void client.destroy());
  await until(() => expect(proxy.connections).toBe(2));
  proxy.cut('fin');
  proxy.cut('rst');
  await once(client.resume(), 'end');
  // A half-open connection would accept these bytes without ending.
  const writing = setInterval(() => client.write('x'), 5);
  onTestFinished(() => clearInterval(writing));
  expect((await broken).code).toMatch(/^(ECONNRESET|EPIPE)$/);
});

verifies('TEST-4', 'a connection over which nothing passes is cut after its time', async () => {
  const { end, remote } = await opened({ idleMs: 30, cut: 'fin' });
  const gone = once(remote, 'close');
  await until(() => expect(end).toEqual(['FIN']));
  await gone;
});

verifies('TEST-4', 'the beginning of each answer is delayed, and nothing after it', async () => {
  const { client, remote, pieces, received } = await opened({ headMs: 40 });
  for (const turn of [1, 2]) {
    client.write('ask');
    await until(() => expect(received.join('')).toBe('ask'.repeat(turn)));
    const asked = performance.now();
    remote.write(`head${turn}`);
    await until(() => expect(pieces).toHaveLength(turn * 2 - 1));
    expect(performance.now() - asked).toBeGreaterThan(38);
    remote.write(`more${turn}`);
    await until(() => expect(pieces).toHaveLength(turn * 2));
  }
  expect(pieces).toEqual(['head1', 'more1', 'head2', 'more2']);
});

verifies('TEST-4', 'pieces are gathered', async () => {
  const { remote, pieces, proxy } = await opened({ silent: true });
  for (const piece of ['a', 'b', 'c']) await new Promise((resolve) => remote.write(piece, resolve));
  proxy.misbehave({ gatherMs: 40 });
  await until(() => expect(pieces.join('')).toBe('abc'));
  expect(pieces).toEqual(['abc']);
});

verifies('TEST-4', 'a large piece is passed in pieces of one byte, with or without pauses', async () => {
  const { remote, pieces, proxy } = await opened({ pieceBytes: 1 });
  remote.write('hello');
  await until(() => expect(pieces.join('')).toBe('hello'));
  expect(pieces.length).toBeGreaterThan(1);
  pieces.length = 0;
  proxy.misbehave({ pieceBytes: 2, pieceMs: 10 });
  remote.write('slowly');
  await until(() => expect(pieces.join('')).toBe('slowly'));
  expect(pieces).toEqual(['sl', 'ow', 'ly']);
});

verifies('TEST-4', 'an answer is cut in its middle, in order or by a reset', async () => {
  for (const [cut, ending] of [
    ['fin', 'FIN'],
    ['rst', 'ECONNRESET'],
  ] as const) {
    const { remote, pieces, end } = await opened({ cutAfterAnswerBytes: 3, cut });
    const gone = once(remote, 'close');
    remote.write('abcdef');
    await until(() => expect(end).toEqual([ending]));
    if (cut === 'fin') expect(pieces.join('')).toBe('abc');
    await gone;
  }
});

verifies('TEST-4', 'a request is cut in its middle, and the rest of it does not arrive', async () => {
  const { client, remote, received, end } = await opened({ cutAfterRequestBytes: 4 });
  const gone = once(remote, 'close');
  client.write('request');
  await until(() => expect(end).toEqual(['ECONNRESET']));
  await gone;
  expect(received.join('')).toBe('requ');
});

verifies('TEST-4', 'an answer is lost when its request has arrived', async () => {
  const { client, remote, received, pieces, end } = await opened({ cutAfterAnswerBytes: 0 });
  client.write('commit');
  await until(() => expect(received).toEqual(['commit']));
  remote.write('done');
  await until(() => expect(end).toEqual(['ECONNRESET']));
  expect(pieces).toEqual([]);
});

verifies('TEST-4', 'nothing passes while it is silent, and all of it afterwards', async () => {
  const { client, remote, pieces, received, proxy } = await opened();
  proxy.misbehave({ silent: true });
  client.write('a');
  remote.write('b');
  // Waits for a round trip on another connection. Any bytes that were passed on would have arrived by then.
  const other = await open();
  other.client.write('x');
  await until(() => expect(other.received).toEqual(['x']));
  expect([received, pieces]).toEqual([[], []]);
  proxy.misbehave({});
  await until(() => expect([received, pieces]).toEqual([['a'], ['b']]));
});

verifies(
  'TEST-4',
  'open connections are cut after the bytes that still pass, and a stalled connection stays stalled',
  async () => {
    const { remote, pieces, proxy, end } = await opened();
    proxy.cut('stall', 2);
    remote.write('abcd');
    await until(() => expect(pieces.join('')).toBe('ab'));
    const later = await open();
    later.proxy.misbehave({});
    proxy.misbehave({});
    later.client.write('x');
    await until(() => expect(later.received).toEqual(['x']));
    expect([pieces.join(''), end, proxy.connections]).toEqual(['ab', [], 1]);
  },
);

verifies('TEST-4', 'new connections are refused, and open connections are cut', async () => {
  const { client, proxy, end } = await opened();
  proxy.cut('rst');
  await until(() => expect(end).toEqual(['ECONNRESET']));
  expect(client.destroyed).toBe(true);
  await until(() => expect(proxy.connections).toBe(0));
  proxy.misbehave({ refuses: true });
  const refused = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
});

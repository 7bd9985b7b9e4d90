/** Tests of the limits on the data that a client may send over a WebSocket, by role. */
import { once } from 'node:events';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, permission, TOKENS, user } from '../ingress.test-support.ts';
import { later, start } from './socket-suite.test-support.ts';
import { follow } from './socket.test-support.ts';

const KEEP_ALIVE = '{"type":"keep_alive"}\n';

verifies('SAFE-3', 'a frame with very many lines closes its own link at once and delays no other client', async () => {
  const { newSession, server } = await start();
  const session = await newSession();
  const worker = await session.claimLease();
  const resumable = later(session.view({ resumable: true }));
  const clients = [later(session.view()), resumable, later(worker.work())];
  await Promise.all(clients.map(({ opened }) => opened));
  resumable.raw('{"ack":0,"stream":"s","from":1}\n');
  await resumable.take(1);
  for (const client of clients) client.raw('1\n'.repeat(16_000_000));
  const healthy = await fetch(`${server.url}/healthz`);
  expect(healthy.status).toBe(200);
  expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1008, 1008, 1008]);
  expect(await session.payloads()).toEqual([]);
});

test.each([
  ['a viewer', TOKENS.viewer, 300_000],
  ['an approver', TOKENS.approver, 2_000_000],
])('%s is cut off before the server accepts a large message', async (_, token, bytes) => {
  const { newSession } = await start();
  const session = await newSession();
  const client = later(session.view({ token }));
  await client.opened;
  client.raw(KEEP_ALIVE);
  client.raw('x'.repeat(bytes));
  // The socket is cut without a close frame, which the peer would receive only after all its data.
  expect(await client.closed).toBe(1006);
});

test('an approver may answer a large request with an answer of the same size', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { post } = await session.claimLease();
  await post({ ...permission('p'), padding: 'x'.repeat(2_000_000) });
  const client = later(session.view({ token: TOKENS.approver }));
  await client.opened;
  client.say({ ...answer('p', 'allow'), padding: 'y'.repeat(2_000_000) });
  await expect.poll(async () => (await session.payloads()).length).toBe(2);
});

test('a client above its byte rate is paused for a while, and no message is lost', async () => {
  const { newSession } = await start({ limits: { maxBytesPerSecond: 200_000 } });
  const session = await newSession();
  const client = later(session.view({ resumable: true }));
  await client.opened;
  client.raw('{"ack":0,"stream":"s","from":1}\n');
  const began = performance.now();
  for (let id = 1; id <= 30; id++) {
    client.raw(`{"id":${id},"data":${JSON.stringify({ ...user(String(id)), padding: 'x'.repeat(20_000) })}}\n`);
  }
  await client.until(() => client.lines().some(({ ack }) => ack === 30));
  expect(performance.now() - began).toBeGreaterThan(1000);
  expect(await session.payloads()).toHaveLength(30);
});

verifies('WSK-31', 'a client may ping while a message of 20 MB is on its way', async () => {
  const { newSession } = await start();
  const session = await newSession();
  await session.send({ ...user('large'), padding: 'x'.repeat(20_000_000) });
  const client = later(session.view());
  await client.opened;
  // Until the client reads again, the server holds most of the message.
  client.socket.pause();
  const pongs: string[] = [];
  client.socket.on('pong', (data) => pongs.push(String(data)));
  for (const mark of ['a', 'b', 'c']) client.socket.ping(mark);
  // The POST is read after the pings, which were sent earlier.
  await session.send(user('after the pings'));
  client.socket.resume();
  expect(await client.take(2)).toMatchObject([user('large'), user('after the pings')]);
  expect(pongs).toEqual(['a', 'b', 'c']);
});

test('a client that sends pings without reading the answers is cut off', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const client = later(session.view());
  await client.opened;
  client.socket.pause();
  const data = 'x'.repeat(125);
  for (let sent = 0; sent < 200_000; sent++) client.socket.ping(data);
  await once(client.socket, 'close');
});

test('an ambiguous answer of an approver closes the link and is not stored', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { post } = await session.claimLease();
  await post(permission('p'));
  const text = JSON.stringify(answer('p', 'allow'));
  for (const smuggled of [`{"Type":"user",${text.slice(1)}`, text.replace('"response"', '"response":{},"response"')]) {
    const client = later(session.view({ token: TOKENS.approver }));
    await client.opened;
    client.raw(`${smuggled}\n`);
    expect(await client.closed).toBe(4003);
  }
  expect(await session.payloads()).toHaveLength(1);
});

test('a line that is nested too deeply is skipped, and the lines around it are stored', async () => {
  const { newSession, sockets } = await start();
  const session = await newSession();
  const { token } = await session.claimLease();
  const worker = later(follow(`${sockets}/v1/session_ingress/ws/${session.id}`, { token }));
  await worker.opened;
  const levels = 5_000_000;
  worker.raw(
    `{"type":"user","uuid":"deep","x":${'['.repeat(levels)}${']'.repeat(levels)}}\n{"type":"user","uuid":"a"}\n`,
  );
  worker.raw(
    `{"type":"user","uuid":"b","x":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}\n{"type":"user","uuid":"c"}\n`,
  );
  await expect.poll(async () => (await session.payloads()).map(({ uuid }) => uuid)).toEqual(['a', 'c']);
});

/** Tests of the clients that the session WebSockets refuse or disconnect. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { TOKENS, user } from '../ingress.test-support.ts';
import { later, start, textOf, whenOneHasLeft } from './socket-suite.test-support.ts';
import { follow } from './socket.test-support.ts';

test('foreign origins and hosts are refused, and so are paths that are not a session socket', async () => {
  const { newSession, sockets } = await start({ allowedOrigins: ['https://app.example'] });
  const session = await newSession();
  const statusOf = async (url: string, headers: Record<string, string> = {}) => {
    const client = later(follow(url, { token: TOKENS.driver, headers }));
    await client.closed;
    return client.status;
  };
  expect(await statusOf(session.address, { origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(session.address, { host: 'evil.example' })).toBe(403);
  expect(await statusOf(`${sockets}/v1/sessions/ws`)).toBe(404);
  expect(await statusOf(`${sockets}/v1/code/sessions/${session.id}/events/stream`)).toBe(404);
  const allowed = later(session.view({ headers: { origin: 'https://app.example' } }));
  await allowed.opened;
});

test('the streams of a session are limited', async () => {
  const { newSession } = await start({ limits: { maxStreams: 2 } });
  const session = await newSession();
  await session.send(user('one'));
  const [one, two] = [later(session.view()), later(session.view())];
  await Promise.all([one.take(1), two.take(1)]);
  expect(await later(session.view()).closed).toBe(1013);
});

// The longest timer: no client may count as stalled here, however busy the machine is.
const NEVER_MS = 2 ** 31 - 1;

test('a socket that is not read delays no other client, and catches up from the log', async () => {
  const { newSession } = await start({ limits: { stallTimeoutMs: NEVER_MS } });
  const session = await newSession();
  const [slow, quick] = [later(session.view()), later(session.view())];
  await Promise.all([slow.opened, quick.opened]);
  slow.socket.pause();
  const { post } = await session.claimLease();
  const padding = 'x'.repeat(500_000);
  const ids = Array.from({ length: 30 }, (_, n) => `big-${n}`);
  for (const uuid of ids) await post({ type: 'assistant', uuid, padding });
  await quick.take(30);
  expect(slow.frames.length).toBeLessThan(30);
  slow.socket.resume();
  expect((await slow.take(30)).map(({ uuid }) => uuid)).toEqual(ids);
});

test('a socket that is not read for the stall timeout is cut', async () => {
  const { newSession } = await start({ limits: { stallTimeoutMs: 500, maxStreams: 1 } });
  const session = await newSession();
  const slow = later(session.view());
  await slow.opened;
  slow.socket.pause();
  const { post } = await session.claimLease();
  const padding = 'x'.repeat(500_000);
  for (let n = 0; n < 30; n++) await post({ type: 'assistant', uuid: `big-${n}`, padding });
  const closed = once(slow.socket, 'close');
  // The client sees the close when it reads again.
  await whenOneHasLeft(session);
  slow.socket.resume();
  await closed;
  expect(slow.frames.length).toBeLessThan(30);
});

test('a client above the request rate is asked to wait, and not refused permanently', async () => {
  const { newSession } = await start({ limits: { maxRequestsPerSecond: 0.1 }, now: () => 1_000_000_000_000 });
  // The one permitted request is used here; the next one is permitted ten seconds later.
  const { address } = await newSession();
  const header = later(follow(address, { token: TOKENS.driver }));
  await header.closed;
  expect([header.status, header.headers['retry-after']]).toEqual([429, '10']);
  const frame = later(follow(address));
  await frame.opened;
  frame.say({ type: 'auth', credential: { type: 'oauth', token: TOKENS.driver } });
  expect(await frame.closed).toBe(1013);
});

test('a message above the size limit closes a plain link, and is refused by its number in resumable mode', async () => {
  const { newSession } = await start({ limits: { maxBodyBytes: 10_000 } });
  const session = await newSession();
  const bare = later(session.view());
  await bare.opened;
  const [half, rest] = [`{"type":"user","x":"${'y'.repeat(9000)}`, `${'y'.repeat(9000)}"}\n`];
  bare.raw(half);
  bare.raw(rest);
  expect(await bare.closed).toBe(1009);
  const resumable = later(session.view({ resumable: true }));
  await resumable.opened;
  resumable.say({ ack: 0, stream: 's', from: 1 });
  resumable.raw(`{"id":1,"data":${half}`);
  resumable.raw(`${rest.trim()}}\n`);
  resumable.say({ id: 2, data: user('small') });
  await resumable.take(1, ({ ack }) => ack === 2);
  expect(resumable.lines().find(({ event }) => event === 'message_refused')?.['data']).toMatchObject({
    error: { type: 'invalid_entry' },
  });
  expect(await session.events()).toHaveLength(1);
});

test('a server that shuts down closes its sockets with 1012 and accepts no further clients', async () => {
  const { server, newSession } = await start();
  const session = await newSession();
  const { work } = await session.claimLease();
  const [viewer, worker, unknown] = [later(session.view()), later(work()), later(follow(session.address))];
  await Promise.all([viewer.opened, worker.opened, unknown.opened]);
  await server.close();
  expect([await viewer.closed, await worker.closed]).toEqual([1012, 1012]);
  await unknown.closed;
});

test('without an agent, a request gets an error and the socket closes temporarily; no message is acknowledged', async () => {
  const failure = { type: 'agent_exited', message: 'the agent exited with code 3' };
  const { newSession } = await start({ agents: { need() {}, end() {}, failureOf: () => failure } });
  const session = await newSession();
  const bare = later(session.view());
  await bare.opened;
  bare.say({ type: 'control_request', request_id: 'x', request: { subtype: 'interrupt' } });
  expect(await bare.closed).toBe(1013);
  expect(bare.lines()).toMatchObject([{ response: { subtype: 'error', request_id: 'x', error: 'agent_exited' } }]);
  const resumable = later(session.view({ resumable: true }));
  await resumable.opened;
  resumable.say({ ack: 0, stream: 's', from: 1 }, { id: 1, data: user('a prompt') });
  expect(await resumable.closed).toBe(1013);
  expect(resumable.lines().filter(({ ack, from }) => ack !== undefined && from === undefined)).toEqual([]);
  expect(await session.events()).toEqual([]);
});

test('with anonymous access, a socket starts without an auth frame', async () => {
  const everybody = { name: 'anybody', role: 'driver' } as const;
  const { newSession } = await start({ accounts: { anonymous: everybody, authenticate: async () => everybody } });
  const session = await newSession();
  await session.send(user('one'));
  const viewer = later(follow(session.address));
  expect((await viewer.take(1)).map(textOf)).toEqual(['one']);
});

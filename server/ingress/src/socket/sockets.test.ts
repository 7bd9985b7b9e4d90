/** Tests of the session WebSockets, with clients that send raw frames. */
import { once } from 'node:events';
import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import { answer, assistant, permission, TOKENS, user } from '../ingress.test-support.ts';
import type { JsonObject } from '../json/values.ts';
import { afterwards, later, start, textOf } from './socket-suite.test-support.ts';
import { follow } from './socket.test-support.ts';

verifies(
  ['WSK-3', 'WSK-5', 'WSK-2', 'WSK-6'],
  'sockets and event streams share one log, and each frame is one line with U+2028 and U+2029 escaped',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const viewer = later(session.view());
    const worker = later((await session.claimLease()).work());
    await Promise.all([viewer.opened, worker.opened]);
    worker.say(assistant('to\u2028all\u2029'));
    viewer.say({ ...user('by socket'), uuid: undefined });
    await session.send(user('by post'));
    const seen = await viewer.take(3);
    expect(seen.map(textOf).sort()).toEqual(['by post', 'by socket', 'to\u2028all\u2029']);
    expect((await worker.take(2)).map(textOf).sort()).toEqual(['by post', 'by socket']);
    for (const frame of [...viewer.frames, ...worker.frames]) expect(frame).toMatch(/^[^\n\u2028\u2029]+\n$/);
    const stored = await session.events();
    expect(stored.map(({ sequence_num }) => sequence_num)).toEqual([1, 2, 3]);
    // A message sent without a uuid has the same new uuid for every reader.
    const bySocket = stored.find(({ payload }) => textOf(payload as JsonObject) === 'by socket');
    expect(bySocket).toMatchObject({ source: 'client', sender: 'driver', payload: { uuid: bySocket?.['event_id'] } });
    expect(seen.find((message) => textOf(message) === 'by socket')?.['uuid']).toBe(bySocket?.['event_id']);
  },
);

verifies(
  ['WSK-9', 'WSK-10', 'WSK-11'],
  'a frame may contain one or several lines, and the last line end is optional',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const viewer = later(session.view());
    await viewer.opened;
    viewer.raw(JSON.stringify(user('one')));
    viewer.raw(`${JSON.stringify(user('two'))}\n${JSON.stringify(user('three'))}`);
    const [head, tail] = [JSON.stringify(user('four')).slice(0, 20), JSON.stringify(user('four')).slice(20)];
    viewer.raw(head);
    viewer.raw(`${tail}\n`);
    viewer.raw('no message\n{"no":"type"}\n[]\n');
    viewer.say(user('five'));
    expect((await viewer.take(5)).map(textOf)).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(await session.events()).toHaveLength(5);
  },
);

verifies(
  ['WSK-16', 'WSK-19', 'WSK-20', 'WSK-21', 'WSK-22'],
  'a token in the first frame is as good as a header, nothing is sent before it, and it is stored nowhere',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    await session.send(user('before'));
    const auth = (token: string) => ({ type: 'auth', credential: { type: 'oauth', token } });

    const browser = later(follow(session.address));
    await browser.opened;
    const answered = once(browser.socket, 'pong');
    browser.socket.ping();
    await answered;
    expect(browser.frames).toEqual([]);
    browser.say(auth(TOKENS.driver), user('after'));
    expect((await browser.take(2)).map(textOf)).toEqual(['before', 'after']);

    // With a token in the header, the auth frame is ignored and not stored as a message.
    const both = later(session.view());
    await both.opened;
    both.say(auth(TOKENS.driver), user('both'));
    await both.take(3);
    const kept = JSON.stringify(await session.payloads());
    expect(kept).not.toContain(TOKENS.driver);
    expect(await session.events()).toHaveLength(3);

    const wrong = later(follow(session.address));
    await wrong.opened;
    wrong.say(auth('a token of nobody at all'));
    expect([await wrong.closed, wrong.frames]).toEqual([4003, []]);
    const impatient = later(follow(session.address));
    await impatient.opened;
    impatient.say(user('without'));
    expect([await impatient.closed, impatient.frames]).toEqual([4003, []]);
    const nowhere = later(follow(session.address.replace(session.id, 'cse_none')));
    await nowhere.opened;
    nowhere.say(auth(TOKENS.driver));
    expect(await nowhere.closed).toBe(4001);
    expect(await session.events()).toHaveLength(3);
  },
);

test('a client that has not authenticated may send only a little, and is closed after ten seconds', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const large = later(follow(session.address));
  await large.opened;
  large.raw(`{"type":"auth","x":"${'y'.repeat(200_000)}"}\n`);
  expect(await large.closed).toBe(1006);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  afterwards(() => vi.useRealTimers());
  const silent = later(follow(session.address));
  await silent.opened;
  await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await silent.closed).toBe(4003);
});

verifies(['WSK-34', 'ERR-26'], 'a worker without the right or the lease is closed with a permanent code', async () => {
  const { newSession, sockets } = await start();
  const session = await newSession();
  const [first, second] = [await session.claimLease(), await session.claimLease()];
  const path = `${sockets}/v1/session_ingress/ws/${session.id}`;
  const codeOf = async (options: Parameters<typeof follow>[1], url = path) => {
    const worker = later(follow(url, options));
    const code = await worker.closed;
    expect(worker.frames).toEqual([]);
    return code;
  };
  expect(await codeOf({})).toBe(4003);
  expect(await codeOf({ token: 'no token of a worker' })).toBe(4003);
  expect(await codeOf({ token: TOKENS.driver })).toBe(4003);
  expect(await codeOf({ token: first.token })).toBe(4003);
  const elsewhere = await newSession();
  expect(await codeOf({ token: second.token }, path.replace(session.id, elsewhere.id))).toBe(4003);

  // Another worker claims the lease, and later messages of this worker are not stored.
  const leased = later(second.work());
  await leased.opened;
  leased.say(assistant('in time'));
  await vi.waitFor(async () => expect(await session.events()).toHaveLength(1));
  const third = await session.claimLease();
  expect(await leased.closed).toBe(4003);
  expect((await second.post(assistant('too late')))['status']).toBe(409);
  const resumable = later(third.work({ resumable: true }));
  await resumable.opened;
  resumable.say({ ack: 0, stream: 's', from: 1 });
  await resumable.take(1);
  await session.claimLease();
  expect(await resumable.closed).toBe(4090);

  await session.archive();
  expect(await codeOf({ token: (await newSession().then((other) => other.claimLease())).token })).toBe(4003);
  expect(await session.events()).toHaveLength(1);
});

test('viewers can read an archived session to its end and are closed with 1000; workers are closed with 4001', async () => {
  const { newSession } = await start();
  const session = await newSession();
  await session.send(user('one'), user('two'));
  const { work } = await session.claimLease();
  const [viewer, worker] = [later(session.view()), later(work())];
  await viewer.take(2);
  await worker.take(2);
  await session.archive();
  expect([await viewer.closed, await worker.closed]).toEqual([1000, 4001]);
  const late = later(session.view());
  expect(await late.closed).toBe(1000);
  expect(late.lines().map(textOf)).toEqual(['one', 'two']);
  expect(await later(work()).closed).toBe(4001);
});

verifies(
  ['WSK-28', 'WSK-31', 'SERVER-9'],
  'pings are answered, `keep_alive` is not forwarded, and a link without answers to pings is cut',
  async () => {
    const { newSession } = await start({ limits: { silenceMs: 300, maxStreams: 2 } });
    const session = await newSession();
    const viewer = later(session.view());
    await viewer.opened;
    const pinged = once(viewer.socket, 'ping');
    const ponged = once(viewer.socket, 'pong');
    viewer.socket.ping('mark');
    expect(String((await ponged)[0])).toBe('mark');
    await pinged;
    viewer.say({ type: 'keep_alive' }, user('a message'));
    await viewer.take(1);
    expect(viewer.lines().map(({ type }) => type)).toEqual(['user']);
    expect(await session.events()).toHaveLength(1);

    const deaf = later(session.view());
    await deaf.opened;
    // A paused socket reads no pings and so does not answer them.
    deaf.socket.pause();
    const closed = once(deaf.socket, 'close');
    setTimeout(() => deaf.socket.resume(), 700);
    await closed;
    // A client that answers pings stays connected.
    expect(viewer.socket.readyState).toBe(1);
  },
);

verifies(
  ['RES-22', 'RES-24'],
  'a reconnecting worker gets only events that it has not proved to have, and a fresh worker gets the open requests',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const { work } = await session.claimLease();
    const first = later(work());
    await first.opened;
    const ask = { type: 'control_request', request_id: 'i', request: { subtype: 'initialize' }, uuid: 'asks' };
    await session.send(user('one'), ask);
    await first.take(2);
    // The answer to the ping of the server proves the delivery.
    await once(first.socket, 'ping');
    first.say(assistant('said', { uuid: 'last' }));
    await vi.waitFor(async () => expect(await session.events()).toHaveLength(3));
    // The link is dead, and the server has not noticed that.
    first.socket.pause();
    await session.send(user('two'));
    first.socket.terminate();

    const again = later(work({ headers: { 'x-last-request-id': 'last' } }));
    await session.send(user('three'));
    expect((await again.take(2)).map(({ uuid }) => uuid)).toEqual(['uuid-two', 'uuid-three']);
    await once(again.socket, 'ping');
    again.socket.terminate();

    // A new process does not get the old prompts, but it gets the open request.
    const fresh = later(work());
    await session.send(user('four'));
    await vi.waitFor(() => expect(fresh.lines().map(({ uuid }) => uuid)).toEqual(['asks', 'uuid-four']));
  },
);

test('a worker may read over a socket and send by POST', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { post, work } = await session.claimLease();
  const [viewer, worker] = [later(session.view()), later(work())];
  await Promise.all([viewer.opened, worker.opened]);
  const increments = { type: 'stream_event', event: {}, uuid: 'now' };
  expect(await post(increments, assistant('posted'), { no: 'message' }, assistant('posted'))).toMatchObject({
    status: 200,
    results: [
      { event_id: 'now', duplicate: false },
      { event_id: 'uuid-posted', sequence_num: 1, duplicate: false },
      { error: { type: 'invalid_entry' } },
      { event_id: 'uuid-posted', sequence_num: 1, duplicate: true },
    ],
  });
  await viewer.take(2);
  expect(viewer.lines().map(({ uuid }) => uuid)).toEqual(['now', 'uuid-posted']);
  viewer.say(user('read'));
  expect((await worker.take(1)).map(textOf)).toEqual(['read']);
  const { work: _, post: stale } = await session
    .claimLease()
    .then(async (former) => (await session.claimLease(), former));
  expect(await stale(assistant('late'))).toMatchObject({ status: 409, error: { reason: 'superseded_by_worker' } });
});

test('a plain socket does not receive requests of other clients to the worker, nor requests that are settled', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { post } = await session.claimLease();
  const [one, two] = [later(session.view()), later(session.view())];
  await Promise.all([one.opened, two.opened]);
  one.say({ type: 'control_request', request_id: 'x', request: { subtype: 'initialize' } });
  await post(permission('p'));
  await two.take(1);
  two.say(answer('p', 'allow'), user('end'));
  await Promise.all([one.take(2), two.take(2)]);
  expect([one, two].map((viewer) => viewer.lines().map(({ type }) => type))).toEqual([
    ['control_request', 'user'],
    ['control_request', 'user'],
  ]);
  const late = later(session.view());
  await late.take(1);
  expect(late.lines().map(({ type }) => type)).toEqual(['user']);
  expect(await session.events()).toHaveLength(4);
});

test('a client without the right to send gets an error for its request, and is closed for a message', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const viewer = later(session.view({ token: TOKENS.viewer }));
  await viewer.opened;
  viewer.say({ type: 'control_request', request_id: 'x', request: { subtype: 'interrupt' } });
  expect(await viewer.take(1)).toMatchObject([
    { type: 'control_response', response: { subtype: 'error', request_id: 'x', error: 'permission_error' } },
  ]);
  viewer.say(user('a prompt'));
  expect(await viewer.closed).toBe(4003);

  const resumable = later(session.view({ token: TOKENS.viewer, resumable: true }));
  await resumable.opened;
  resumable.say({ ack: 0, stream: 's', from: 1 }, { id: 1, data: user('a prompt') });
  const [notice] = await resumable.take(1, ({ event }) => event === 'message_refused');
  expect(notice?.['data']).toEqual({ event_id: 'uuid-a prompt', error: { type: 'permission_error' } });
  // The refused message is acknowledged, since the client would repeat it otherwise.
  await resumable.take(1, ({ ack, from }) => ack === 1 && from === undefined);
  expect(resumable.socket.readyState).toBe(1);
  expect(await session.events()).toEqual([]);
});

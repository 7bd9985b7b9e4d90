/** The WebSockets of sessions, by clients written by hand. */
import { once } from 'node:events';
import { verifies } from '@proto/requirements';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, assistant, permission, TOKENS, user } from '../ingress.test-support.ts';
import type { JsonObject } from '../json.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { follow, startServer } from './socket.test-support.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options: Parameters<typeof startServer>[0] = {}) {
  const started = await startServer(options);
  cleanUps.push(() => started.server.close());
  return started;
}
const later = <T extends { readonly socket: { terminate(): void } }>(opened: T) => {
  cleanUps.push(() => opened.socket.terminate());
  return opened;
};
const textOf = ({ message }: JsonObject) => {
  const { content } = message as { content: string | [{ text: string }] };
  return typeof content === 'string' ? content : content[0].text;
};
const isMessage = ({ data }: JsonObject) => data !== undefined;

verifies(
  ['I-E1', 'I-E4', 'I-E5'],
  'one log: what a socket sends is on event streams and the other way round, one line a frame, fit for any reader',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const viewer = later(session.view());
    const worker = later((await session.seat()).work());
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
    // Who had none has an id now, the same for everybody.
    const bySocket = stored.find(({ payload }) => textOf(payload as JsonObject) === 'by socket');
    expect(bySocket).toMatchObject({ source: 'client', sender: 'driver', payload: { uuid: bySocket?.['event_id'] } });
    expect(seen.find((message) => textOf(message) === 'by socket')?.['uuid']).toBe(bySocket?.['event_id']);
  },
);

verifies('I-E2', 'frames have one line or several, with a last line end or without', async () => {
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
});

verifies(
  'I-E3',
  'a first frame is as good as a header, nothing is said before it, and it is kept nowhere',
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

    // Both ways at once: the frame is no message.
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

test('who does not say who it is may not say much else, and not wait for ever', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const large = later(follow(session.address));
  await large.opened;
  large.raw(`{"type":"auth","x":"${'y'.repeat(200_000)}"}\n`);
  expect(await large.closed).toBe(1006);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  cleanUps.push(() => vi.useRealTimers());
  const silent = later(follow(session.address));
  await silent.opened;
  await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await silent.closed).toBe(4003);
});

verifies('I-E6', 'a worker that is not wanted is told so for good, by a close code', async () => {
  const { newSession, sockets } = await start();
  const session = await newSession();
  const [first, second] = [await session.seat(), await session.seat()];
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

  // Who has the seat loses it to another one, and what it says from then on is not stored.
  const seated = later(second.work());
  await seated.opened;
  seated.say(assistant('in time'));
  await vi.waitFor(async () => expect(await session.events()).toHaveLength(1));
  const third = await session.seat();
  expect(await seated.closed).toBe(4003);
  expect((await second.post(assistant('too late')))['status']).toBe(409);
  const resumable = later(third.work({ resumable: true }));
  await resumable.opened;
  resumable.say({ ack: 0, stream: 's', from: 1 });
  await resumable.take(1);
  await session.seat();
  expect(await resumable.closed).toBe(4090);

  await session.archive();
  expect(await codeOf({ token: (await newSession().then((other) => other.seat())).token })).toBe(4003);
  expect(await session.events()).toHaveLength(1);
});

test('an archived session: viewers read it to its end and are told it is over, a worker has no business there', async () => {
  const { newSession } = await start();
  const session = await newSession();
  await session.send(user('one'), user('two'));
  const { work } = await session.seat();
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
  ['I-E7', 'R-13.1'],
  'pings are answered, `keep_alive` is nobody’s, and a silent link is given up',
  async () => {
    const { newSession } = await start({ silenceMs: 300 });
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
    // From now on it reads nothing and so answers no ping.
    deaf.socket.pause();
    const closed = once(deaf.socket, 'close');
    setTimeout(() => deaf.socket.resume(), 700);
    await closed;
    // Whoever answers stays.
    expect(viewer.socket.readyState).toBe(1);
  },
);

verifies(
  'I-E8',
  'what a worker proved to have is not said again, what it did not is; requests that are open are asked of a fresh one',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const { work } = await session.seat();
    const first = later(work());
    await first.opened;
    const ask = { type: 'control_request', request_id: 'i', request: { subtype: 'initialize' }, uuid: 'asks' };
    await session.send(user('one'), ask);
    await first.take(2);
    // The server asks with a ping, and the answer proves.
    await once(first.socket, 'ping');
    first.say(assistant('said', { uuid: 'last' }));
    await vi.waitFor(async () => expect(await session.events()).toHaveLength(3));
    // It is not heard of any more, and nobody knows yet.
    first.socket.pause();
    await session.send(user('two'));
    first.socket.terminate();

    const again = later(work({ headers: { 'x-last-request-id': 'last' } }));
    await session.send(user('three'));
    expect((await again.take(2)).map(({ uuid }) => uuid)).toEqual(['uuid-two', 'uuid-three']);
    await once(again.socket, 'ping');
    again.socket.terminate();

    // A new process has no more use for the old prompts, but nobody has answered the request.
    const fresh = later(work());
    await session.send(user('four'));
    await vi.waitFor(() => expect(fresh.lines().map(({ uuid }) => uuid)).toEqual(['asks', 'uuid-four']));
  },
);

test('a worker may read a socket and post', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { post, work } = await session.seat();
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
  const { work: _, post: stale } = await session.seat().then(async (former) => (await session.seat(), former));
  expect(await stale(assistant('late'))).toMatchObject({ status: 409, error: { reason: 'superseded_by_worker' } });
});

test('on a bare socket nobody hears what other clients ask of the worker, and requests that are settled are not asked', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { post } = await session.seat();
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

test('who may not send is told so, and a request is answered', async () => {
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
  // It is done with all the same, or would be sent for ever.
  await resumable.take(1, ({ ack, from }) => ack === 1 && from === undefined);
  expect(resumable.socket.readyState).toBe(1);
  expect(await session.events()).toEqual([]);
});

verifies(
  ['R-1.1', 'R-1.3'],
  'the resumable mode: dense numbers of the log beside the payload, and first whether anything is missing',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const { post } = await session.seat();
    await session.send(user('one'));
    await post(assistant('two'), assistant('three'));
    const hello = async (ack: number) => {
      const viewer = later(session.view({ resumable: true }));
      await viewer.opened;
      viewer.say({ ack, stream: 'mine', from: 1 });
      return viewer;
    };
    const fresh = await hello(0);
    await fresh.take(3, isMessage);
    expect(fresh.lines().slice(0, 4)).toMatchObject([
      { ack: 0, from: 1 },
      { id: 1, source: 'client', data: { uuid: 'uuid-one' } },
      { id: 2, source: 'worker', data: { uuid: 'uuid-two' } },
      { id: 3, source: 'worker', data: { uuid: 'uuid-three' } },
    ]);
    expect(fresh.lines()[0]).not.toHaveProperty('gap');
    expect(fresh.lines()[1]?.['data']).toEqual((await session.payloads())[0]);
    await post(assistant('four'));
    expect((await fresh.take(4, isMessage)).at(-1)).toMatchObject({ id: 4, source: 'worker' });
    const resumed = await hello(3);
    expect((await resumed.take(1, isMessage)).map(({ id }) => id)).toEqual([4]);
    expect(resumed.lines()[0]).toMatchObject({ from: 4 });
    const ahead = await hello(99);
    await ahead.take(1);
    expect(ahead.lines()[0]).toMatchObject({ from: 5, gap: { reason: 'unknown_cursor', from: 5, to: 99 } });

    // What was dropped by retention is told, too.
    const small = await start({ log: createMemoryEventLog({ maxBytes: 300 }) });
    const short = await small.newSession();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await short.send(user(text));
    const late = later(short.view({ resumable: true }));
    await late.opened;
    late.say({ ack: 1, stream: 'mine', from: 1 });
    const [greeting] = await late.take(1);
    expect(greeting).toMatchObject({ gap: { reason: 'evicted', from: 2 } });
    await late.take(1, isMessage);
    expect(late.lines().find(isMessage)?.['id']).toBe(greeting?.['from']);
  },
);

verifies(
  'R-1.7',
  'what is sent again under its number counts once, also without an id, and is not heard by its sender',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const { work } = await session.seat();
    const worker = later(work());
    const send = async (from: number, ...texts: string[]) => {
      const viewer = later(session.view({ resumable: true }));
      await viewer.opened;
      const lines = texts.map((text, index) => ({ id: from + index, data: { ...user(text), uuid: undefined } }));
      viewer.say({ ack: 0, stream: 'mine', from }, ...lines);
      await viewer.take(1, ({ ack }) => ack === from + texts.length - 1);
      return viewer;
    };
    (await send(1, 'one', 'two')).socket.terminate();
    const again = await send(1, 'one', 'two', 'three');
    expect((await worker.take(3)).map(textOf)).toEqual(['one', 'two', 'three']);
    await session.send(user('of another'));
    const heard = await again.take(1, isMessage);
    expect(heard.map(({ data }) => textOf(data as JsonObject))).toEqual(['of another']);
    expect(await session.events()).toHaveLength(4);
  },
);

test('increments and notices have no number and are for who listens now', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { work } = await session.seat();
  const viewer = later(session.view({ resumable: true }));
  await viewer.opened;
  viewer.say({ ack: 0, stream: 'mine', from: 1 });
  await viewer.take(1);
  const worker = later(work());
  await worker.opened;
  await session.send(user('a prompt'));
  worker.say({ type: 'stream_event', event: { text: '\u2028' }, uuid: 'now' }, assistant('whole'));
  await viewer.take(1, ({ event }) => event === 'delivery_update');
  const increments = viewer.lines().filter(({ data }) => (data as JsonObject | undefined)?.['uuid'] === 'now');
  expect(increments).toEqual([
    { source: 'worker', data: { type: 'stream_event', event: { text: '\u2028' }, uuid: 'now' } },
  ]);
  expect(viewer.lines().find(({ event }) => event === 'delivery_update')).toMatchObject({
    data: { event_id: 'uuid-a prompt', status: 'DELIVERY_STATUS_RECEIVED' },
  });
  expect(await session.events()).toHaveLength(2);
});

test('foreign pages and names are refused, and so is what is no socket of a session', async () => {
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

test('streams of a session are limited, whatever they are', async () => {
  const { newSession } = await start({ maxStreams: 2 });
  const session = await newSession();
  await session.send(user('one'));
  const [one, two] = [later(session.view()), later(session.view())];
  await Promise.all([one.take(1), two.take(1)]);
  expect(await later(session.view()).closed).toBe(1013);
});

test('a socket that is not read holds up nobody, catches up from the log, and is cut when it stays away', async () => {
  const { newSession } = await start({ stallTimeoutMs: 2000, maxStreams: 2 });
  const session = await newSession();
  const [slow, quick] = [later(session.view()), later(session.view())];
  await Promise.all([slow.opened, quick.opened]);
  slow.socket.pause();
  const { post } = await session.seat();
  const padding = 'x'.repeat(500_000);
  const ids = Array.from({ length: 30 }, (_, n) => `big-${n}`);
  for (const uuid of ids) await post({ type: 'assistant', uuid, padding });
  await quick.take(30);
  expect(slow.frames.length).toBeLessThan(30);
  slow.socket.resume();
  expect((await slow.take(30)).map(({ uuid }) => uuid)).toEqual(ids);

  slow.socket.pause();
  for (const uuid of ids) await post({ type: 'assistant', uuid: `more-${uuid}`, padding });
  await quick.take(60);
  const closed = once(slow.socket, 'close');
  // It hears of that when it reads again.
  await vi.waitFor(
    async () => {
      const third = later(session.view());
      expect(await Promise.race([third.closed, third.take(1)])).not.toBe(1013);
    },
    { timeout: 10_000, interval: 200 },
  );
  slow.socket.resume();
  await closed;
  expect(slow.frames.length).toBeLessThan(60);
});

test('a message above the limit ends a bare link, and is refused by its number otherwise', async () => {
  const { newSession } = await start({ maxBodyBytes: 10_000 });
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

test('a server that goes down says so, and takes nobody more', async () => {
  const { server, newSession } = await start();
  const session = await newSession();
  const { work } = await session.seat();
  const [viewer, worker, unknown] = [later(session.view()), later(work()), later(follow(session.address))];
  await Promise.all([viewer.opened, worker.opened, unknown.opened]);
  await server.close();
  expect([await viewer.closed, await worker.closed]).toEqual([1012, 1012]);
  await unknown.closed;
});

test('where there is no agent, a request is answered with why, and the client may come again; nothing is acknowledged', async () => {
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

test('where nobody has to say who it is, nothing is waited for', async () => {
  const everybody = { name: 'anybody', role: 'driver' } as const;
  const { newSession } = await start({ accounts: { anonymous: everybody, authenticate: async () => everybody } });
  const session = await newSession();
  await session.send(user('one'));
  const viewer = later(follow(session.address));
  expect((await viewer.take(1)).map(textOf)).toEqual(['one']);
});

/** Tests of the contents of the log and of the event streams. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, assistant, permission, startIngress, TOKENS, user } from './ingress.test-support.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const contents = (payloads: readonly object[]) => payloads.map((payload) => (payload as { uuid: string }).uuid);

verifies(
  ['REM-9', 'REM-8', 'EVS-14'],
  'both sides share one dense sequence, whose number is the frame id, and events are stored before they are sent',
  async () => {
    const { newSession, log } = await startIngress();
    const session = await newSession();
    const { say } = await session.claimLease();
    const viewer = await session.view();
    await session.send([
      user('a'),
      { type: 'control_request', request_id: 'q', request: { subtype: 'interrupt' }, uuid: 'c' },
    ]);
    await say(assistant('b'));
    await session.send([user('d')]);
    await viewer.take(4);
    const frames = viewer.of('client_event');
    expect(frames.map(({ id, data }) => [id, data?.['sequence_num'], data?.['source'], data?.['event_type']])).toEqual([
      ['1', 1, 'client', 'user'],
      ['2', 2, 'client', 'control_request'],
      ['3', 3, 'worker', 'assistant'],
      ['4', 4, 'client', 'user'],
    ]);
    expect(Object.keys(frames[0]?.data ?? {}).sort()).toEqual([
      'created_at',
      'event_id',
      'event_type',
      'payload',
      'sender',
      'sequence_num',
      'source',
    ]);
    const { events } = await log.read(session.id, 0);
    expect(frames.map(({ data }) => data?.['event_id'])).toEqual(events.map(({ id }) => id));
    expect(frames.map(({ data }) => Date.parse(String(data?.['created_at'])))).toEqual(
      events.map((event) => event.createdAt),
    );
  },
);

verifies(
  ['REM-10', 'REM-11', 'REM-14'],
  'the uuid of a message is the id of its event; a missing uuid is added, and nothing else is changed',
  async () => {
    const { newSession } = await startIngress();
    const session = await newSession();
    const viewer = await session.view();
    const odd = { type: 'of tomorrow', uuid: 'known', text: 'line\u2028end\r\n\0', deep: [{ n: 1.5, nothing: null }] };
    await session.send([odd, { type: 'user', message: {} }]);
    const [first, second] = await viewer.take(2);
    expect(first).toEqual(odd);
    const { uuid, ...rest } = second as { uuid: string };
    expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(rest).toEqual({ type: 'user', message: {} });
    expect(viewer.of('client_event').map(({ data }) => data?.['event_id'])).toEqual(['known', uuid]);
  },
);

verifies(
  ['RES-7', 'RES-8', 'RES-9'],
  'a uuid is stored once, whichever side repeats it, and the repeat succeeds',
  async () => {
    const { newSession } = await startIngress();
    const session = await newSession();
    const { say } = await session.claimLease();
    const viewer = await session.view();
    await session.send([user('a'), user('a')]);
    const again = await session.send([user('a'), user('b')]);
    expect(again).toMatchObject({
      status: 200,
      body: {
        events: [
          { sequence_num: 1, duplicate: true },
          { sequence_num: 2, duplicate: false },
        ],
      },
    });
    const echo = await say(user('a', { isReplay: true }), assistant('c'));
    expect(echo).toMatchObject({ status: 200, body: { results: [{ duplicate: true }, { duplicate: false }] } });
    expect(contents(await viewer.take(3))).toEqual(['uuid-a', 'uuid-b', 'uuid-c']);
  },
);

verifies(
  ['RES-7', 'SERVER-2'],
  'replayed requests are marked as replayed, and repeated messages are not stored again',
  async () => {
    const { newSession, log } = await startIngress();
    const session = await newSession();
    const { say } = await session.claimLease();
    await say(assistant('a'), permission('p'));
    await session.send([user('b')]);
    const late = await session.view();
    const replayed = await late.take(3);
    expect(late.of('client_event').map(({ data }) => data?.['replayed'])).toEqual([undefined, true, undefined]);
    await say(...replayed);
    await session.send(replayed);
    expect((await log.read(session.id, 0)).last).toBe(3);
    await say(assistant('c'));
    expect(contents(await late.take(4))).toEqual(['uuid-a', 'asks-p', 'uuid-b', 'uuid-c']);
  },
);

verifies(
  ['REM-18', 'REM-19', 'EVS-15', 'REM-21', 'REM-20', 'RES-27'],
  'ephemeral entries reach live readers in order and are never replayed; keep_alive is not forwarded at all',
  async () => {
    const { newSession, log } = await startIngress();
    const session = await newSession();
    const { write } = await session.claimLease();
    const viewer = await session.view();
    await viewer.until(() => viewer.of('resume').length === 1);
    await write([
      { payload: { type: 'stream_event', n: 1 }, ephemeral: true },
      { payload: assistant('a') },
      { payload: { type: 'keep_alive' } },
      { payload: { type: 'stream_event', n: 2 }, ephemeral: true },
      { payload: assistant('b') },
    ]);
    await viewer.take(2);
    const seen = viewer.frames.filter(({ event }) => event === 'client_event' || event === 'ephemeral_event');
    expect(seen.map(({ id, event, data }) => [id, event, data?.['event_type']])).toEqual([
      [undefined, 'ephemeral_event', 'stream_event'],
      ['1', 'client_event', 'assistant'],
      [undefined, 'ephemeral_event', 'stream_event'],
      ['2', 'client_event', 'assistant'],
    ]);
    expect((await log.read(session.id, 0)).events).toHaveLength(2);
    const late = await session.view();
    await late.take(2);
    expect(late.of('ephemeral_event')).toEqual([]);
  },
);

verifies(
  ['EVS-2', 'EVS-3', 'EVS-4', 'SERVER-9', 'EVS-21'],
  'a stream begins at once with bytes, its verdict and a cursor, with headers that stop proxies from buffering',
  async () => {
    const { newSession, log } = await startIngress();
    const session = await newSession();
    await session.send([user('a')]);
    const viewer = await session.view(1);
    expect(Object.fromEntries(viewer.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    await viewer.until(() => viewer.of('resume').length === 1);
    expect(viewer.raw).toMatch(/^: /);
    expect(viewer.of('resume')).toEqual([{ id: '1', event: 'resume', data: { verdict: 'ok', log: log.identity } }]);
    await session.send([user('b\r\nc')]);
    await viewer.take(1);
    expect(viewer.raw).not.toContain('\r');
  },
);

verifies(['REM-12', 'REM-13'], 'the server sets the source of an event, whatever the message claims', async () => {
  const { newSession } = await startIngress();
  const session = await newSession();
  await (await session.claimLease()).say(permission('x'));
  const viewer = await session.view();
  const forged = { ...assistant('a'), source: 'worker', ccr_event: { source: 'worker' } };
  await session.send([forged, answer('x', 'allow')]);
  const [, second] = await viewer.take(3);
  expect(viewer.of('client_event').map(({ data }) => data?.['source'])).toEqual(['worker', 'client', 'client']);
  expect(second).not.toHaveProperty('ccr_event');
});

verifies(
  ['REM-22', 'RES-29'],
  'a reader that reconnects at any cursor, while events are written, receives every event exactly once',
  async () => {
    const { newSession } = await startIngress();
    const session = await newSession();
    const TOTAL = 60;
    const writing = (async () => {
      for (let n = 1; n <= TOTAL; n++) await session.send([user(String(n))]);
    })();
    const seen: number[] = [];
    while (seen.length < TOTAL) {
      const viewer = await session.view(seen.at(-1) ?? 0);
      await viewer.take(1);
      seen.push(...viewer.of('client_event').map(({ id }) => Number(id)));
      await viewer.close();
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: TOTAL }, (_, index) => index + 1));
  },
);

verifies('RES-29', 'an event appended during a catch-up reaches the reader once and in order', async () => {
  const log = createMemoryEventLog();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const read: typeof log.read = async (...of) => {
    const page = await log.read(...of);
    await held;
    return page;
  };
  const { newSession } = await startIngress({ log: { ...log, read } });
  const session = await newSession();
  await session.send([user('1'), user('2')]);
  const viewer = await session.view();
  await session.send([user('3')]);
  release();
  await session.send([user('4')]);
  await viewer.take(4);
  expect(viewer.of('client_event').map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
});

verifies(
  ['EVS-20', 'RES-31', 'RES-33', 'RES-34'],
  'dropped events are reported: the verdict is a gap with its reason, and viewers also get catch_up_truncated',
  async () => {
    const { newSession } = await startIngress({ log: createMemoryEventLog({ maxBytes: 200 }) });
    const session = await newSession();
    for (let n = 1; n <= 10; n++) await session.send([user(`${n}`)]);
    const evicted = await session.view(1);
    await evicted.take(1);
    const [verdict] = evicted.of('resume');
    const { from, to } = (verdict?.data ?? {}) as { from: number; to: number };
    expect(verdict?.data).toMatchObject({ verdict: 'gap', reason: 'evicted' });
    expect([from, Number(evicted.of('client_event')[0]?.id)]).toEqual([2, to + 1]);
    expect(evicted.of('catch_up_truncated')).toEqual([{ event: 'catch_up_truncated', data: { from, to } }]);

    const unknown = await session.view(99);
    await unknown.until(() => unknown.of('catch_up_truncated').length === 1);
    expect(unknown.of('resume')[0]?.data).toMatchObject({ verdict: 'gap', reason: 'unknown_cursor', from: 11, to: 99 });
    await session.send([user('new')]);
    expect(contents(await unknown.take(1))).toEqual(['uuid-new']);
  },
);

verifies(
  ['EVS-31', 'RES-28'],
  'all viewers see the same sequence, live or later, as a stream or as a list',
  async () => {
    const { newSession, call } = await startIngress();
    const session = await newSession();
    const { say } = await session.claimLease();
    const live = await session.view();
    for (let n = 0; n < 5; n++) await Promise.all([session.send([user(`u${n}`)]), say(assistant(`a${n}`))]);
    await live.take(10);
    const late = await session.view();
    await late.take(10);
    expect(late.of('client_event')).toEqual(live.of('client_event'));
    const list = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const { body } = await call(`${session.base}/events?after=${cursor}&limit=4`, {
        method: 'GET',
        token: TOKENS.viewer,
      });
      list.push(...(body['data'] as object[]));
      cursor = body['next_cursor'] as string | null;
    }
    expect(list).toEqual(live.of('client_event').map(({ data }) => data));
  },
);

verifies(
  ['SERVER-3', 'EVS-31'],
  'a message reaches every viewer and its sender, with the name of the sender',
  async () => {
    const { newSession } = await startIngress();
    const session = await newSession();
    const [one, two] = [await session.view(0, TOKENS.driver), await session.view()];
    await session.send([user('a')]);
    for (const viewer of [one, two]) {
      await viewer.take(1);
      expect(viewer.of('client_event')[0]?.data).toMatchObject({ sender: 'driver', source: 'client' });
    }
  },
);

test('a session survives a restart of its server, with its worker lease', async () => {
  const log = createMemoryEventLog();
  const before = await startIngress({ log });
  const session = await before.newSession();
  const { token, epoch } = await session.claimLease();
  await session.send([user('a')]);
  await before.ingress.drain();

  const after = await startIngress({ log });
  const again = after.sessionOf(session.id);
  const viewer = await again.view();
  expect(contents(await viewer.take(1))).toEqual(['uuid-a']);
  const beat = await after.call(`${again.base}/worker/heartbeat`, { token, json: { worker_epoch: epoch } });
  expect(beat.status).toBe(200);
});

/** Tests of a full store, slow readers, idle streams and shutdown. */
import { verifies } from '@proto/test-support/verifies';
import { afterEach, expect, test, vi } from 'vitest';
import { assistant, readFrames, startIngress, TOKENS, user } from './ingress.test-support.ts';
import { type EventLog, EventLogError } from './log/event-log.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

afterEach(() => void vi.useRealTimers());

/** A store whose disk is full while `full.is` is true. */
function fillable() {
  const log = createMemoryEventLog();
  const full = { is: false };
  const write = <Call extends (...of: never[]) => Promise<unknown>>(call: Call) =>
    ((...of: never[]) => (full.is ? Promise.reject(new EventLogError('full', 'no room')) : call(...of))) as Call;
  return {
    full,
    log: { ...log, append: write(log.append), writeDocument: write(log.writeDocument) } satisfies EventLog,
  };
}

verifies(
  'ERR-7',
  'a full disk answers every write with 503 and Retry-After, and nothing is acknowledged or forwarded',
  async () => {
    const { log, full } = fillable();
    const onError = vi.fn();
    const { newSession, call } = await startIngress({ log, onError });
    const session = await newSession();
    const { say, mark, worker, epoch } = await session.claimLease();
    const viewer = await session.view();
    await session.send([user('before')]);
    await viewer.take(1);
    full.is = true;
    const refused = [
      await session.send([user('refused')]),
      await say(assistant('refused')),
      await mark({ event_id: 'uuid-before', status: 'received' }),
      await worker('', { worker_status: 'idle' }, 'PUT'),
      await call(`${session.base}/bridge`, { token: TOKENS.driver, json: {} }),
      await call('/v1/code/sessions', { token: TOKENS.driver, json: {} }),
    ];
    for (const { status, body, headers } of refused) {
      expect([status, body['error'], headers.get('retry-after')]).toMatchObject([503, { type: 'storage_full' }, '5']);
    }
    expect(onError).toHaveBeenCalledTimes(refused.length);
    full.is = false;
    expect(epoch).toBe(1);
    expect((await say(assistant('after'))).status).toBe(200);
    expect((await session.send([user('refused')])).body['events']).toMatchObject([
      { sequence_num: 3, duplicate: false },
    ]);
    await viewer.take(3);
    expect(viewer.of('client_event').map(({ id }) => id)).toEqual(['1', '2', '3']);
  },
);

verifies(
  'REM-43',
  'a delivery mark is announced once stored, and an acknowledged mark survives a restart',
  async () => {
    const { log, full } = fillable();
    const { newSession, ingress } = await startIngress({ log });
    const session = await newSession();
    const { mark } = await session.claimLease();
    const viewer = await session.view();
    await session.send([user('a'), user('b')]);
    await viewer.take(2);
    full.is = true;
    expect((await mark({ event_id: 'uuid-a', status: 'processed' })).status).toBe(503);
    expect(viewer.of('delivery_update')).toEqual([]);
    full.is = false;
    expect((await mark({ event_id: 'uuid-a', status: 'processed' })).status).toBe(200);
    await viewer.until(() => viewer.of('delivery_update').length > 0);
    expect(viewer.of('delivery_update').map(({ data }) => data?.['event_id'])).toEqual(['uuid-a']);
    await ingress.drain();
    const again = (await startIngress({ log })).sessionOf(session.id);
    const stream = await (await again.claimLease()).follow();
    expect(await stream.take(1)).toMatchObject([{ uuid: 'uuid-b' }]);
  },
);

verifies(
  'SERVER-4',
  'a slow reader delays no other client, catches up from the log when it reads, and is cut off when it does not',
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { newSession, request } = await startIngress({ limits: { stallTimeoutMs: 60_000 } });
    const session = await newSession();
    const quick = await session.view();
    const open = () => request(`${session.base}/events/stream`, { method: 'GET', token: TOKENS.viewer });
    const [slow, never] = [await open(), await open()];
    await quick.until(() => quick.of('resume').length === 1);
    const COUNT = 200;
    const text = 'x'.repeat(10_000);
    for (let n = 1; n <= COUNT; n++) {
      await session.send([user(String(n), { text })]);
      await quick.take(n);
    }
    const slowReader = readFrames(slow);
    await slowReader.take(COUNT);
    expect(slowReader.of('client_event').map(({ id }) => Number(id))).toEqual(
      Array.from({ length: COUNT }, (_, n) => n + 1),
    );
    vi.advanceTimersByTime(60_000);
    const cut = readFrames(never);
    await cut.ended;
    const held = cut.raw.length;
    expect(held).toBeLessThan((COUNT * text.length) / 2);
    // The slow reader has caught up and receives live events.
    await session.send([user('after')]);
    await slowReader.take(COUNT + 1);
  },
);

verifies(['EVS-7', 'EVS-8'], 'an idle stream sends a keepalive every 15 s, which moves no cursor', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const { newSession } = await startIngress();
  const session = await newSession();
  const viewer = await session.view();
  await viewer.until(() => viewer.of('resume').length === 1);
  const said = viewer.raw;
  vi.advanceTimersByTime(45_000);
  await session.send([user('a')]);
  await viewer.take(1);
  expect(viewer.raw.slice(said.length).split('id: ')[0]).toBe(': keepalive\n\n'.repeat(3));
});

verifies('EVS-22', 'a viewer of a session that is archived twice gets `session_archived` once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const { call, newSession } = await startIngress();
  const { base, view } = await newSession();
  const viewer = await view();
  await viewer.until(() => viewer.of('resume').length === 1);
  for (let count = 0; count < 2; count++) await call(`${base}/archive`, { token: TOKENS.driver });
  await viewer.until(() => viewer.of('session_archived').length > 0);
  vi.advanceTimersByTime(15_000);
  await viewer.until(() => viewer.raw.endsWith(': keepalive\n\n'));
  expect(viewer.of('session_archived')).toHaveLength(1);
});

verifies('ERR-6', 'a viewer is served also while the session has no worker', async () => {
  const { newSession } = await startIngress();
  const session = await newSession();
  expect((await session.send([user('a')])).status).toBe(200);
  await (await session.view()).take(1);
});

test('draining ends the streams, completes requests in progress, and refuses later ones', async () => {
  const { newSession, ingress, call } = await startIngress();
  const session = await newSession();
  const viewer = await session.view();
  expect((await call('/healthz', { method: 'GET' })).body).toEqual({ status: 'ok' });
  const sent = session.send([user('a')]);
  await Promise.all([ingress.drain(), viewer.ended]);
  expect((await sent).status).toBe(200);
  expect((await session.send([user('b')])).status).toBe(503);
  expect(await call('/healthz', { method: 'GET' })).toMatchObject({ status: 503, body: { status: 'draining' } });
});

test('a session with a reader does not expire, however long it is idle', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const log = createMemoryEventLog({ maxAgeMs: 10 * 60_000 });
  const { newSession, ingress } = await startIngress({ log });
  const session = await newSession();
  await session.send([user('early')]);
  const viewer = await session.view();
  await viewer.take(1);
  for (let minute = 0; minute < 30; minute++) {
    vi.advanceTimersByTime(60_000);
    await new Promise(setImmediate);
  }
  expect((await session.send([user('late')])).body['events']).toMatchObject([{ sequence_num: 2 }]);
  expect(await viewer.take(2)).toMatchObject([{ uuid: 'uuid-early' }, { uuid: 'uuid-late' }]);
  await ingress.drain();
  expect((await (await startIngress({ log })).sessionOf(session.id).send([user('later')])).status).toBe(200);
});

/** Tests of the worker endpoints and of the right to use them. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, assistant, permission, startIngress, TOKENS, user } from './ingress.test-support.ts';

const uuids = (payloads: readonly object[]) => payloads.map((payload) => (payload as { uuid: string }).uuid);
const request = (id: string) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'interrupt' },
  uuid: id,
});

verifies(
  ['REM-1', 'REM-2', 'WRK-1', 'WRK-14', 'WRK-15', 'WRK-16', 'WRK-24'],
  'a driver gets credentials and an epoch for a worker, and a new epoch may write before it reports',
  async () => {
    const { newSession, call } = await startIngress();
    const session = await newSession();
    expect(session.id).toMatch(/^cse_[A-Za-z0-9_-]+$/);
    const bridge = await call(`${session.base}/bridge`, { token: TOKENS.driver, json: {} });
    expect(bridge).toMatchObject({
      status: 200,
      body: { worker_jwt: expect.any(String), api_base_url: 'http://127.0.0.1', expires_in: 14_400, worker_epoch: 1 },
    });
    const { epoch, token, say, mark, worker } = await session.claimLease();
    expect(epoch).toBe(2);
    expect((await say(assistant('a'))).status).toBe(200);
    expect((await mark({ event_id: 'x', status: 'received' })).status).toBe(200);
    expect((await worker('/heartbeat', {})).body).toEqual({ heartbeat_interval_seconds: 20 });
    const registered = await call(`${session.base}/worker/register`, { token, json: {} });
    expect(registered).toMatchObject({ status: 200, body: { worker_epoch: 3 } });
  },
);

verifies(['WRK-20', 'WRK-30', 'WRK-23'], 'metadata merges by top-level member, and null removes a member', async () => {
  const { newSession } = await startIngress();
  const { worker, get } = await (await newSession()).claimLease();
  const external_metadata = { a: { deep: 1 }, b: 2, ['__proto__']: 3 };
  expect((await worker('', { worker_status: 'idle', external_metadata }, 'PUT')).status).toBe(200);
  await worker(
    '',
    { worker_status: 'running', external_metadata: { a: { other: 1 }, b: null }, internal_metadata: { i: 1 } },
    'PUT',
  );
  expect((await get('')).body).toEqual({
    worker: {
      worker_status: 'running',
      external_metadata: { a: { other: 1 }, ['__proto__']: 3 },
      internal_metadata: { i: 1 },
    },
  });
});

verifies(
  ['WRK-4', 'WRK-5', 'WRK-6', 'WRK-9', 'WRK-54'],
  'a worker that has lost its lease is refused on every path, and nothing of it is stored',
  async () => {
    const { newSession, call, log } = await startIngress();
    const session = await newSession();
    const old = await session.claimLease();
    const stream = await old.follow();
    const { epoch, token } = await session.claimLease();
    await stream.ended;

    // Messages without a uuid, so that no message counts as a repeat.
    const bodies = { events: [{ payload: { type: 'assistant' } }], updates: [] };
    const paths = [
      ['PUT', ''],
      ['POST', '/events'],
      ['POST', '/events/delivery'],
      ['POST', '/heartbeat'],
      ['POST', '/internal-events'],
    ];
    for (const [method = '', path = ''] of paths) {
      const attempts = [
        { token: old.token, worker_epoch: old.epoch, reason: 'superseded_by_worker' },
        { token: old.token, worker_epoch: epoch, reason: 'superseded_by_worker' },
        { token, worker_epoch: old.epoch, reason: 'superseded_by_worker' },
        { token, worker_epoch: String(epoch + 1), reason: 'epoch_stale' },
      ];
      for (const { token: with_, worker_epoch, reason } of attempts) {
        const refused = await call(`${session.base}/worker${path}`, {
          method,
          token: with_,
          json: { worker_epoch, ...bodies },
        });
        expect(refused).toMatchObject({ status: 409, body: { error: { reason } } });
        expect(refused.headers.get('x-ccr-conflict-reason')).toBe(reason);
      }
      const taken = await call(`${session.base}/worker${path}`, {
        method,
        token,
        json: { worker_epoch: String(epoch), ...bodies },
      });
      expect(taken.status).toBe(200);
    }
    expect((await old.get('/events/stream')).status).toBe(409);
    expect((await log.read(session.id, 0)).events).toHaveLength(1);

    await call(`${session.base}/archive`, { token: TOKENS.driver });
    const late = await call(`${session.base}/worker/events`, { token, json: { worker_epoch: epoch, ...bodies } });
    expect(late).toMatchObject({ status: 409, body: { error: { reason: 'session_not_active' } } });
  },
);

verifies(
  'REM-5',
  'the paths that a worker needs answer 404 if and only if the session does not exist on the server',
  async () => {
    const secret = 'a secret that two servers share, for a test';
    const [here, there] = [await startIngress({ secret }), await startIngress({ secret })];
    const session = await here.newSession();
    const { token, epoch } = await session.claimLease();
    const paths = ['/events', '/events/delivery', '/heartbeat', '/internal-events', '/register'];
    const json = { worker_epoch: epoch, events: [], updates: [] };
    for (const path of paths) {
      expect((await here.call(`${session.base}/worker${path}`, { token, json })).status).toBe(200);
      const gone = await there.call(`${session.base}/worker${path}`, { token, json });
      expect(gone).toMatchObject({ status: 404, body: { error: { type: 'not_found_error', resource: 'session' } } });
    }
  },
);

verifies(['EVS-44', 'EVS-54'], 'a bad entry is skipped with an error, and the other entries are stored', async () => {
  const { newSession } = await startIngress();
  const session = await newSession();
  const { write } = await session.claimLease();
  const bad = [null, 1, {}, { payload: 'text' }, { payload: { uuid: 'no type' } }, { payload: { type: 7 } }] as never[];
  const { status, body } = await write([...bad, { payload: assistant('good') }]);
  expect(status).toBe(200);
  expect((body['results'] as { error?: { type: string } }[]).map(({ error }) => error?.type)).toEqual([
    ...bad.map(() => 'invalid_entry'),
    undefined,
  ]);
  expect(uuids(await (await session.view()).take(1))).toEqual(['uuid-good']);
});

verifies('EVS-52', 'a body of 12 MB is accepted', async () => {
  const { newSession } = await startIngress();
  const { say } = await (await newSession()).claimLease();
  expect((await say(assistant('x'.repeat(12_000_000), { uuid: 'large' }))).status).toBe(200);
});

verifies(
  ['REM-42', 'REM-43', 'REM-44'],
  'delivery marks only advance, are announced once, and exist only for viewer events',
  async () => {
    const { newSession } = await startIngress();
    const session = await newSession();
    const { mark, say } = await session.claimLease();
    const viewer = await session.view();
    await session.send([user('a')]);
    await say(assistant('b'));
    await viewer.take(2);
    const at = (event_id: string, status: string) => ({ event_id, status });
    await mark(
      at('uuid-a', 'processing'),
      at('uuid-a', 'received'),
      at('uuid-b', 'received'),
      at('unknown', 'received'),
    );
    await mark(at('uuid-a', 'processing'), at('uuid-a', 'finished'), {});
    await mark(at('uuid-a', 'processed'), at('uuid-a', 'processed'), at('uuid-a', 'received'));
    await session.send([user('end')]);
    await viewer.take(3);
    expect(viewer.of('delivery_update').map(({ id, data }) => [id, data?.['event_id'], data?.['status']])).toEqual([
      [undefined, 'uuid-a', 'DELIVERY_STATUS_PROCESSING'],
      [undefined, 'uuid-a', 'DELIVERY_STATUS_PROCESSED'],
    ]);
  },
);

verifies(
  ['REM-25', 'REM-28'],
  'a fresh worker gets the unprocessed events of viewers and the open requests, and a cursor continues after an event',
  async () => {
    const { newSession } = await startIngress();
    const session = await newSession();
    const { mark, say } = await session.claimLease();
    await session.send([user('done'), user('begun'), request('answered'), request('open'), user('new')]);
    await mark({ event_id: 'uuid-done', status: 'processed' }, { event_id: 'uuid-begun', status: 'processing' });
    await mark({ event_id: 'open', status: 'processed' });
    await say(
      { type: 'control_response', response: { subtype: 'success', request_id: 'answered' }, uuid: 'r' },
      assistant('x'),
    );

    const fresh = await (await session.claimLease()).follow();
    expect(uuids(await fresh.take(3))).toEqual(['uuid-begun', 'open', 'uuid-new']);
    const resumed = await (await session.claimLease()).follow(2);
    await session.send([user('last')]);
    expect(uuids(await resumed.take(3))).toEqual(['open', 'uuid-new', 'uuid-last']);
  },
);

verifies('WRK-35', 'a worker has one stream at a time: a new stream ends the earlier one', async () => {
  const { newSession } = await startIngress();
  const { follow, worker } = await (await newSession()).claimLease();
  const first = await follow();
  const second = await follow();
  await first.ended;
  await second.until(() => second.of('resume').length === 1);
  expect((await worker('/heartbeat', {})).status).toBe(200);
});

verifies(
  ['WRK-47', 'WRK-49', 'WRK-50', 'WRK-51', 'WRK-52'],
  'transcript rows are idempotent, and can be read by owner and in pages',
  async () => {
    const { newSession } = await startIngress();
    const { worker, get } = await (await newSession()).claimLease();
    const row = (uuid: string, members = {}) => ({ payload: { type: 'user', uuid }, ...members });
    const rows = [
      row('1'),
      row('2', { is_compaction: true }),
      row('s', { session_agent_id: 'sub' }),
      row('3'),
      row('4'),
    ];
    await worker('/internal-events', { events: rows });
    await worker('/internal-events', { events: rows });
    const ids = async (query: string) => {
      const { body } = await get(`/internal-events?${query}`);
      return (body['data'] as { event_id: string }[]).map(({ event_id }) => event_id);
    };
    expect(await ids('')).toEqual(['2', '3', '4']);
    expect(await ids('from_first_event=true')).toEqual(['1', '2', '3', '4']);
    expect(await ids('subagents=true')).toEqual(['s']);
    expect(await ids('after_event_id=3')).toEqual(['4']);
    const { body } = await get('/internal-events?limit=2');
    expect(body['data']).toMatchObject([
      { event_id: '2', event_type: 'user', event_metadata: null, is_compaction: true, payload: { uuid: '2' } },
      { event_id: '3' },
    ]);
    expect(await ids(`limit=2&cursor=${String(body['next_cursor'])}`)).toEqual(['4']);
    expect(await get('/internal-events?after_event_id=nobody')).toMatchObject({
      status: 404,
      body: { error: { type: 'after_event_id_not_found' } },
    });
  },
);

test('a transcript page is also limited by its bytes, and its cursor must be a number', async () => {
  const { newSession, call } = await startIngress();
  const session = await newSession();
  const { worker, get, token } = await session.claimLease();
  const padding = 'x'.repeat(3_000_000);
  const ids = Array.from({ length: 9 }, (_, n) => `row-${n}`);
  for (const uuid of ids) await worker('/internal-events', { events: [{ payload: { type: 'user', uuid, padding } }] });
  const seen: unknown[] = [];
  let pages = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; pages++) {
    const { body } = await get(`/internal-events?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...(body['data'] as { event_id: string }[]).map(({ event_id }) => event_id));
    cursor = body['next_cursor'] as string | undefined;
  }
  expect(seen).toEqual(ids);
  expect(pages).toBeGreaterThan(1);
  for (const cursor of ['1.5', '-1', 'x', '1e3', '9'.repeat(30)]) {
    const path = `${session.base}/worker/internal-events?cursor=${cursor}`;
    expect(await call(path, { method: 'GET', token })).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error' } },
    });
  }
});

test('the attributes of a transcript row are limited, and a row above the limit is skipped', async () => {
  const { newSession, log } = await startIngress();
  const session = await newSession();
  const { worker } = await session.claimLease();
  const row = (uuid: string, members: object) => ({ payload: { type: 'user', uuid }, ...members });
  const long = 'x'.repeat(1000);
  const events = [
    row('a', { session_agent_id: long }),
    row('b', { session_agent_id: 'sub', preserved_event_ids: [long] }),
  ];
  expect((await worker('/internal-events', { events })).status).toBe(200);
  const stored = (await log.read(`${session.id}/internal`, 0)).events;
  expect(stored.map(({ id, attributes }) => [id, (attributes?.length ?? 0) < 300])).toEqual([['b', true]]);
});

test('the metadata that a worker stores is limited in total, over all of its reports', async () => {
  const { newSession } = await startIngress();
  const { worker, get } = await (await newSession()).claimLease();
  const text = 'x'.repeat(9_000_000);
  expect((await worker('', { external_metadata: { a: text } }, 'PUT')).status).toBe(200);
  expect(await worker('', { external_metadata: { b: text } }, 'PUT')).toMatchObject({
    status: 413,
    body: { error: { type: 'request_too_large' } },
  });
  expect((await worker('', { worker_status: 'running', external_metadata: { a: null } }, 'PUT')).status).toBe(200);
  expect((await get('')).body).toMatchObject({ worker: { worker_status: 'running', external_metadata: {} } });
});

test('a request of a worker stays open when another worker claims its lease', async () => {
  const { newSession } = await startIngress();
  const session = await newSession();
  await (await session.claimLease()).say(permission('p'));
  const next = await session.claimLease();
  const stream = await next.follow();
  expect((await session.send([answer('p', 'allow')], TOKENS.approver)).status).toBe(200);
  expect(uuids(await stream.take(1))).toEqual(['answers-p-allow']);
});

test('a worker may store at most 32 members of each kind of metadata', async () => {
  const { newSession } = await startIngress();
  const { worker, get } = await (await newSession()).claimLease();
  const put = (from: number, to: number) => {
    const external_metadata = Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`m${from + n}`, n]));
    return worker('', { external_metadata }, 'PUT');
  };
  expect((await put(0, 32)).status).toBe(200);
  expect((await put(32, 33)).status).toBe(413);
  const { body } = await get('');
  const { external_metadata } = body['worker'] as { external_metadata: object };
  expect(Object.keys(external_metadata)).toHaveLength(32);
});

test('a message of 32 MiB is taken, in its envelope', async () => {
  const { newSession } = await startIngress();
  const session = await newSession();
  const { say } = await session.claimLease();
  const uuid = 'large-message';
  const around = JSON.stringify(assistant('', { uuid })).length;
  const message = assistant('x'.repeat(32 * 1024 * 1024 - around), { uuid });
  expect(JSON.stringify(message)).toHaveLength(32 * 1024 * 1024);
  expect((await say(message)).status).toBe(200);
});

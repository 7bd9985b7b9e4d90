/** Tests of renewing the token of a worker: its lease and its epoch stay the same. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { assistant, startIngress, TOKENS, user } from './ingress.test-support.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const START = Date.UTC(2030, 0, 1);
const FOUR_HOURS_MS = 4 * 60 * 60 * 1000;

/** A session with a worker, and a clock that the test sets. */
async function started(log = createMemoryEventLog()) {
  const clock = { now: START };
  const ingress = await startIngress({ log, now: () => clock.now });
  const session = await ingress.newSession();
  return { ...ingress, log, clock, session, worker: await session.claimLease() };
}

type Started = Awaited<ReturnType<typeof started>>;

function renewal({ session, worker }: Pick<Started, 'session' | 'worker'>, changes: object = {}) {
  const json = { worker_jwt: worker.token, worker_epoch: worker.epoch, ...changes };
  return [`${session.base}/bridge/renew`, { token: TOKENS.driver, json }] as const;
}

verifies('WRK-19', 'a worker renews its token and keeps its epoch, its stream and its lease', async () => {
  const at = await started();
  const { call, session, worker, clock } = at;
  const stream = await worker.follow();
  clock.now += FOUR_HOURS_MS - 60_000;
  const { status, body } = await call(...renewal(at));
  expect([status, body]).toEqual([
    200,
    {
      worker_jwt: expect.any(String),
      api_base_url: expect.any(String),
      expires_in: FOUR_HOURS_MS / 1000,
      worker_epoch: worker.epoch,
    },
  ]);
  // The old token expires, and the new token is valid under the same epoch.
  clock.now += 120_000;
  expect((await worker.say(assistant('old'))).status).toBe(401);
  const json = { worker_epoch: worker.epoch, events: [{ payload: assistant('new') }] };
  expect((await call(`${session.base}/worker/events`, { token: String(body['worker_jwt']), json })).status).toBe(200);
  // The stream opened with the old token continues as well.
  await session.send([user('hello')]);
  expect(await stream.take(1)).toMatchObject([{ uuid: 'uuid-hello' }]);
  await stream.close();
});

test('a worker whose token expired while its machine slept can renew it, since the account gives the right', async () => {
  const at = await started();
  at.clock.now += 10 * FOUR_HOURS_MS;
  expect((await at.worker.say(assistant('late'))).status).toBe(401);
  expect(await at.call(...renewal(at))).toMatchObject({ status: 200, body: { worker_epoch: at.worker.epoch } });
});

verifies(
  'WRK-4',
  'a superseded worker is refused the renewal of its token, also by its own earlier epoch',
  async () => {
    const at = await started();
    const { call, session, worker } = at;
    // The same token under a higher epoch: the process registered again.
    const { body } = await call(`${session.base}/worker/register`, { token: worker.token, json: {} });
    const superseded = { status: 409, body: { error: { reason: 'superseded_by_worker' } } };
    expect(await call(...renewal(at))).toMatchObject(superseded);
    expect(await call(...renewal(at, { worker_epoch: body['worker_epoch'] }))).toMatchObject({ status: 200 });
    const next = await session.claimLease();
    expect(await call(...renewal(at))).toMatchObject(superseded);
    // The epoch of the next worker does not help a token that was never issued for that epoch.
    expect(await call(...renewal(at, { worker_epoch: next.epoch }))).toMatchObject(superseded);
    expect(await call(...renewal({ session, worker: next }))).toMatchObject({ status: 200 });
  },
);

test('a restarted server renews tokens that it issued before', async () => {
  const before = await started();
  await before.ingress.drain();
  const after = await startIngress({ log: before.log, now: () => before.clock.now });
  expect(await after.call(...renewal(before))).toMatchObject({
    status: 200,
    body: { worker_epoch: before.worker.epoch },
  });
});

verifies('REM-54', 'the right to a renewal is checked before the body is read', async () => {
  const at = await started();
  const { call, session } = at;
  const [path] = renewal(at);
  const body = () =>
    new ReadableStream({ pull: () => Promise.reject(new Error('the body was read')) }, { highWaterMark: 0 });
  const refusals: readonly (readonly [string | undefined, number])[] = [
    [undefined, 401],
    [TOKENS.viewer, 403],
    [TOKENS.approver, 403],
    // The token of the worker alone does not permit a renewal.
    [at.worker.token, 401],
    ['elsewhere-token-0123456789', 403],
  ];
  for (const [token, status] of refusals) {
    const init = { method: 'POST', body: body(), duplex: 'half' } as RequestInit;
    expect((await call(path, { ...init, token })).status).toBe(status);
  }
  await call(`${session.base}/archive`, { token: TOKENS.driver, json: {} });
  const init = { method: 'POST', body: body(), duplex: 'half' } as RequestInit;
  expect(await call(path, { ...init, token: TOKENS.driver })).toMatchObject({
    status: 410,
    body: { error: { type: 'session_not_active' } },
  });
});

test('a renewal with a token or an epoch that proves no lease of the session is refused', async () => {
  const at = await started();
  const other = await (await at.newSession()).claimLease();
  expect((await at.call(...renewal(at, { worker_jwt: other.token }))).status).toBe(403);
  for (const changes of [
    { worker_jwt: 'x' },
    { worker_jwt: undefined },
    { worker_epoch: undefined },
    { worker_epoch: 'x' },
  ]) {
    expect((await at.call(...renewal(at, changes))).status).toBe(400);
  }
});

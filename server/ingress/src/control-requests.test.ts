/** Open requests are part of the session state: late readers receive them, and the first valid answer settles them. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, assistant, permission, startAsked, startIngress, TOKENS, user } from './ingress.test-support.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const types = (payloads: readonly object[]) => payloads.map((payload) => (payload as { type: string }).type);

verifies(
  ['REM-29', 'SERVER-1', 'REM-30'],
  'a late reader is asked the open requests, but not the answered or cancelled ones, also after a restart',
  async () => {
    const log = createMemoryEventLog();
    const { session, say, ingress } = await startAsked({ log });
    const live = await session.view();
    await live.take(1);
    await say(permission('answered'), permission('cancelled'), {
      type: 'control_cancel_request',
      request_id: 'cancelled',
      uuid: 'x',
    });
    await session.send([answer('answered', 'deny')]);
    const requests = async (on: typeof session) => {
      const viewer = await on.view();
      await viewer.take(3);
      expect(viewer.of('client_event').map(({ data }) => data?.['replayed'])).toEqual([true, undefined, undefined]);
      return viewer.of('client_event').map(({ data }) => data?.['event_id']);
    };
    // A reader that was connected is asked once; later readers see the request marked as replayed.
    expect(live.of('client_event').filter(({ data }) => data?.['event_id'] === 'asks-p')).toHaveLength(1);
    const expected = ['asks-p', 'x', 'answers-answered-deny'];
    expect(await requests(session)).toEqual(expected);
    await ingress.drain();
    const restarted = await startIngress({ log });
    expect(await requests(restarted.sessionOf(session.id))).toEqual(expected);
  },
);

verifies(
  ['REM-35', 'REM-36', 'REM-38'],
  'the first valid answer wins and is announced to all, and a later answer is refused as already resolved',
  async () => {
    const { session, follow } = await startAsked();
    const viewer = await session.view();
    const stream = await follow();
    await viewer.take(1);
    const allow = () => session.send([answer('p', 'allow')], TOKENS.approver);
    const deny = () => session.send([answer('p', 'deny')], TOKENS.driver);
    // If two requests are under way at the same time, the server decides which request is the first.
    const [allowed, denied] = await Promise.all([allow(), deny()]);
    const [entry] = allowed.body['events'] as { duplicate?: boolean }[];
    const allowWon = entry?.duplicate === false;
    const [won, lost, repeat, by, behavior] = allowWon
      ? [allowed, denied, allow, 'approver', 'allow']
      : [denied, allowed, deny, 'driver', 'deny'];
    expect(won).toMatchObject({ status: 200, body: { events: [{ duplicate: false }] } });
    expect(lost).toMatchObject({ status: 200, body: { events: [{ error: { type: 'already_resolved' } }] } });
    // The winner repeats its answer, because the first reply was lost.
    expect(await repeat()).toMatchObject({ body: { events: [{ duplicate: true }] } });
    await viewer.until(() => viewer.of('control_resolved').length === 1);
    expect(viewer.of('control_resolved')[0]?.data).toEqual({ request_id: 'p', by, outcome: 'answered' });
    await session.send([user('after')]);
    expect(await stream.take(2)).toMatchObject([
      { type: 'control_response', response: { response: { behavior } } },
      { type: 'user' },
    ]);
  },
);

verifies(
  'REM-38',
  'a cancel withdraws the request for all clients, and an answer sent at the same time has no effect',
  async () => {
    const { session, say, follow } = await startAsked();
    const viewer = await session.view();
    const stream = await follow();
    await viewer.take(1);
    await say({ type: 'control_cancel_request', request_id: 'p', uuid: 'cancel' });
    expect(types(await viewer.take(2))).toEqual(['control_request', 'control_cancel_request']);
    await viewer.until(() => viewer.of('control_resolved').length === 1);
    expect(viewer.of('control_resolved')[0]?.data).toEqual({ request_id: 'p', by: 'worker', outcome: 'cancelled' });
    const { body } = await session.send([answer('p', 'allow'), user('after')]);
    expect(body['events']).toMatchObject([{ error: { type: 'already_resolved' } }, { duplicate: false }]);
    expect(types(await stream.take(1))).toEqual(['user']);
  },
);

verifies(
  'REM-38',
  'a viewer that was cut off before an answer or a cancel receives control_resolved when it returns',
  async () => {
    const { session, say } = await startAsked();
    await say(permission('q'));
    await session.send([answer('p', 'allow')]);
    await say({ type: 'control_cancel_request', request_id: 'q', uuid: 'cancel' });
    const viewer = await session.view(2);
    await viewer.until(() => viewer.of('control_resolved').length === 2);
    expect(viewer.of('control_resolved').map(({ id, data }) => ({ id, ...data }))).toEqual([
      { id: undefined, request_id: 'p', by: 'driver', outcome: 'answered' },
      { id: undefined, request_id: 'q', by: 'worker', outcome: 'cancelled' },
    ]);
  },
);

verifies(
  'REM-57',
  'viewers get no control_resolved about requests of clients, which may have the ids of open requests',
  async () => {
    const { session, say } = await startAsked();
    const viewer = await session.view();
    await viewer.take(1);
    const request = (uuid: string) => ({
      type: 'control_request',
      request_id: 'p',
      request: { subtype: 'mcp_status' },
      uuid,
    });
    await session.send([request('asks')]);
    await say({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'p', response: {} },
      uuid: 'says',
    });
    await session.send([request('asks-again'), { type: 'control_cancel_request', request_id: 'p', uuid: 'cancels' }]);
    await session.send([answer('p', 'allow')]);
    await viewer.until(() => viewer.of('control_resolved').some(({ data }) => data?.['by'] !== 'worker'));
    expect(viewer.of('control_resolved').map(({ data }) => data)).toEqual([
      { request_id: 'p', by: 'driver', outcome: 'answered' },
    ]);
  },
);

test('a request stays open when all clients leave, and the next client is asked', async () => {
  const { session, follow } = await startAsked();
  const stream = await follow();
  await (await session.view()).close();
  const next = await session.view();
  expect(types(await next.take(1))).toEqual(['control_request']);
  await session.send([answer('p', 'allow')]);
  expect(types(await stream.take(1))).toEqual(['control_response']);
});

test('an answer with neither allow nor deny settles no request', async () => {
  const { session, follow } = await startAsked();
  const stream = await follow();
  const bad = ['maybe', undefined, { allow: true }].map((behavior, n) => answer('p', behavior as string, `bad-${n}`));
  const none = { type: 'control_response', response: { subtype: 'success', request_id: 'p' }, uuid: 'none' };
  const { body } = await session.send([...bad, none, { type: 'control_response', uuid: 'empty' }]);
  for (const result of body['events'] as object[]) expect(result).toMatchObject({ error: { type: 'invalid_answer' } });
  const decided = await session.send([answer('p', 'deny'), answer('p', 'allow')]);
  expect(decided.body['events']).toMatchObject([{ duplicate: false }, { error: { type: 'already_resolved' } }]);
  expect(await stream.take(1)).toMatchObject([{ response: { response: { behavior: 'deny' } } }]);
});

test('a restarted agent may reuse the ids of its requests', async () => {
  const { session } = await startAsked();
  await session.send([answer('p', 'deny')]);
  const { say, follow } = await session.claimLease();
  await say({ ...permission('p'), uuid: 'asks-again' });
  const viewer = await session.view();
  await viewer.take(2);
  expect(viewer.of('client_event').map(({ data }) => data?.['event_id'])).toEqual(['answers-p-deny', 'asks-again']);
  const stream = await follow(3);
  const { body } = await session.send([answer('p', 'allow')]);
  expect(body['events']).toMatchObject([{ duplicate: false }]);
  expect(types(await stream.take(1))).toEqual(['control_response']);
});

test('a client can neither replace nor cancel a request of the agent', async () => {
  const { session, say } = await startAsked();
  await session.send([
    { type: 'control_request', request_id: 'p', request: { subtype: 'interrupt' }, uuid: 'own' },
    { type: 'control_cancel_request', request_id: 'p', uuid: 'cancel' },
  ]);
  await say(assistant('x'));
  const late = await session.view();
  expect(types(await late.take(4))).toEqual([
    'control_request',
    'control_request',
    'control_cancel_request',
    'assistant',
  ]);
});

verifies(
  ['REM-49', 'REM-55'],
  'a viewer may not send, an approver may only answer, a driver may send everything',
  async () => {
    const { session } = await startAsked();
    const init = (request: object) => ({
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', ...request },
    });
    const status = async (payload: object, token: string) => (await session.send([payload as never], token)).status;
    for (const payload of [answer('p', 'allow'), user('a'), init({})])
      expect(await status(payload, TOKENS.viewer)).toBe(403);
    expect(await status(user('a'), TOKENS.approver)).toBe(403);
    expect(await status(init({ hooks: {} }), TOKENS.approver)).toBe(403);
    expect(await status(init({}), TOKENS.approver)).toBe(200);
    // A POST is accepted as a whole or not at all: a permitted answer in one POST with a forbidden message is not stored.
    expect((await session.send([answer('p', 'allow'), user('a')], TOKENS.approver)).status).toBe(403);
    expect(await status(answer('p', 'deny'), TOKENS.approver)).toBe(200);
    expect(await status(user('a'), TOKENS.driver)).toBe(200);
  },
);

const errors = (body: object) =>
  Object.values(body)
    .flat()
    .map((result) => (result as { error?: { type: string } }).error?.type);

test('each side may have 1000 open requests, counted over all POSTs; the limits of the two sides are independent', async () => {
  const { session, say } = await startAsked();
  const flood = Array.from({ length: 1500 }, (_, n) => ({
    type: 'control_request',
    request_id: `r${n}`,
    request: { subtype: 'initialize' },
  }));
  const { body } = await session.send(flood);
  expect(errors(body)).toEqual(flood.map((_, n) => (n < 1000 ? undefined : 'too_many_open_requests')));
  expect(errors((await session.send(flood.slice(-1))).body)).toEqual(['too_many_open_requests']);
  // A request repeated under its id does not count again.
  expect(errors((await session.send(flood.slice(0, 1))).body)).toEqual([undefined]);
  const asking = await say(permission('q'));
  expect(asking.body['results']).toMatchObject([{ duplicate: false }]);
});

test('the stored state of an open request is small, however large the request is', async () => {
  const { session, say, mark, log } = await startAsked();
  const large = 'x'.repeat(100_000);
  const question = permission('large');
  await say({ ...question, request: { ...(question['request'] as object), input: { large } } });
  await session.send([user('a'), answer(large, 'allow')]);
  await mark({ event_id: 'uuid-a', status: 'received' });
  await say(...Array.from({ length: 500 }, (_, n) => assistant(String(n))));
  expect((await log.readDocument(session.id, 'checkpoint'))?.length).toBeLessThan(2000);
});

test('an answer with an id longer than any request id is invalid', async () => {
  const { session } = await startAsked();
  expect(errors((await session.send([answer('x'.repeat(257), 'allow')])).body)).toEqual(['invalid_answer']);
});

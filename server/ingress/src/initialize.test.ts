/** Tests who may initialize the agent of a session, and the answers to clients that may not. */
import { expect, test } from 'vitest';
import { answer, permission, startIngress, TOKENS } from './ingress.test-support.ts';
import type { JsonObject } from './json/values.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const initialize = (id: string, members: JsonObject = {}) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'initialize', ...members },
  uuid: `uuid-of-${id}`,
});

const ANSWER = { commands: [{ name: 'compact' }], output_style: 'default' };

const initialized = (id: string, lists: JsonObject = {}, response: JsonObject = ANSWER) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response, ...lists },
  uuid: `answer-to-${id}`,
});

async function withDriver(options = {}) {
  const started = await startIngress(options);
  const session = await started.newSession();
  const worker = await session.claimLease();
  await session.send([initialize('driver', { hooks: { PreToolUse: [] } })]);
  await worker.say(initialized('driver'));
  return { ...started, session, ...worker };
}

const asApprover = (session: { send: (payloads: JsonObject[], token: string) => Promise<{ body: JsonObject }> }) => {
  return async (payload: JsonObject) =>
    ((await session.send([payload], TOKENS.approver)).body['events'] as readonly JsonObject[])[0];
};

test('the server answers initialize of an approver with the answer for the driver and the open requests, and does not ask the agent', async () => {
  const { session, say, follow } = await withDriver();
  await say(permission('open'), permission('answered'));
  await session.send([answer('answered', 'allow')]);
  const stream = await follow(1);
  const viewer = await session.view(5, TOKENS.approver);
  expect(await asApprover(session)(initialize('late'))).toMatchObject({ duplicate: false });
  const [asked, answered] = await viewer.take(2);
  expect(asked).toMatchObject({ request_id: 'late' });
  const { input: _input, ...frame } = permission('open');
  expect(answered).toMatchObject({
    type: 'control_response',
    response: {
      subtype: 'success',
      request_id: 'late',
      response: ANSWER,
      pending_permission_requests: [frame],
      pending_user_dialog_requests: [],
    },
  });
  expect(viewer.of('client_event').map(({ data }) => data?.['source'])).toEqual(['client', 'worker']);
  await session.send([{ type: 'user', uuid: 'after' }]);
  const received = await stream.take(2);
  expect(received.map((payload) => (payload as { type: string }).type)).toEqual(['control_response', 'user']);
  await viewer.close();
});

test('a repeated `initialize` is a duplicate and is answered once', async () => {
  const { session, log } = await withDriver();
  const send = asApprover(session);
  expect(await send(initialize('late'))).toMatchObject({ duplicate: false });
  expect(await send(initialize('late'))).toMatchObject({ duplicate: true });
  expect((await log.read(session.id, 0)).last).toBe(4);
});

test('before a driver has initialized the agent, initialize of an approver is refused in its reply and on its stream', async () => {
  const { newSession } = await startIngress();
  const session = await newSession();
  const { follow } = await session.claimLease();
  const stream = await follow();
  const viewer = await session.view(0, TOKENS.approver);
  expect(await asApprover(session)(initialize('early'))).toMatchObject({ error: { type: 'not_initialized' } });
  const [refused] = await viewer.take(1);
  expect(refused).toMatchObject({ type: 'control_response', response: { subtype: 'error', request_id: 'early' } });
  await session.send([{ type: 'user', uuid: 'after' }]);
  expect(await stream.take(1)).toMatchObject([{ type: 'user' }]);
  await viewer.close();
});

test('the initialize answer survives a restart, and a later answer replaces it', async () => {
  const log = createMemoryEventLog();
  const { session, ingress, say } = await withDriver({ log });
  await session.send([initialize('again')]);
  await say(initialized('again', {}, { commands: [] }));
  await ingress.drain();
  const { sessionOf } = await startIngress({ log });
  const restarted = sessionOf(session.id);
  await asApprover(restarted)(initialize('late'));
  const { events } = await log.read(session.id, 0);
  expect(JSON.parse(events.at(-1)?.payload ?? '')).toMatchObject({ response: { response: { commands: [] } } });
});

test('a request that the agent lists as pending can be answered, and an answered request stays settled', async () => {
  const { session, say } = await withDriver();
  await say(permission('old'));
  await session.send([answer('old', 'allow')]);
  await session.send([initialize('next')]);
  const pending_permission_requests = [permission('listed'), permission('old')];
  await say(initialized('next', { pending_permission_requests }));
  const { body } = await session.send([answer('listed', 'allow'), answer('old', 'deny', 'second')], TOKENS.approver);
  expect(body['events']).toMatchObject([{ duplicate: false }, { error: { type: 'already_resolved' } }]);
});

test('an approver cannot reuse the request id of a driver to get an answer', async () => {
  const { session, log } = await withDriver();
  await session.send([initialize('drivers')]);
  expect(await asApprover(session)({ ...initialize('drivers'), uuid: 'other' })).toMatchObject({
    error: { type: 'request_id_taken' },
  });
  expect((await log.read(session.id, 0)).last).toBe(3);
});

test('the rate of server answers is limited, so that they cannot evict the session from the log', async () => {
  const { session, say, log } = await withDriver();
  await session.send([initialize('large')]);
  await say(initialized('large', {}, { commands: 'x'.repeat(1024 * 1024) }));
  const send = asApprover(session);
  const results: unknown[] = [];
  for (let n = 0; n < 10; n++) results.push(await send(initialize(`n${n}`)));
  expect(results[0]).toMatchObject({ duplicate: false });
  expect(results.at(-1)).toMatchObject({ error: { type: 'rate_limited' } });
  const { bytes } = await log.usage();
  expect(bytes).toBeLessThan(9 * 1024 * 1024);
});

/** Tests of webhooks for the questions of sessions: the server restarts, and sessions move to another server. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import { ManualClock, startNodes, type TestNode, TTL_MS } from '../cluster/nodes.test-support.ts';
import type { IngressOptions } from '../ingress-options.ts';
import { startIngress, TOKENS } from '../ingress.test-support.ts';
import type { JsonObject } from '../json/values.ts';
import { HOOK, Receiver, SECRET } from './receiver.test-support.ts';

const permission = (id: string, tool = 'Bash') => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: tool, input: { command: 'the-secret-command' } },
});
const answer = (id: string): JsonObject => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response: { behavior: 'allow', updatedInput: {} } },
});

/** A server with webhooks, whose clock the test moves. */
async function startServer(receiver: Receiver, options: Partial<IngressOptions> = {}) {
  const clock = new ManualClock();
  const onError = vi.fn();
  const notify = { url: HOOK, secret: SECRET, fetch: receiver.fetch };
  const server = await startIngress({ notify, clock, now: () => clock.now(), onError, ...options });
  const pass = async (ms: number) => {
    clock.pass(ms);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  };
  return { ...server, clock, pass, onError };
}

verifies('NOTIFY-1', 'only requests that people answer are reported, without the text of any message', async () => {
  const receiver = new Receiver();
  const { newSession, pass, onError } = await startServer(receiver);
  const session = await newSession();
  const worker = await session.claimLease();
  const hook = { type: 'control_request', request_id: 'hook', request: { subtype: 'hook_callback', callback_id: 'a' } };
  const form = { type: 'control_request', request_id: 'form', request: { subtype: 'elicitation', message: 'which?' } };
  await worker.say(permission('1'), hook, form, { type: 'control_request', request_id: 'none' });
  await session.send([answer('none')]);
  await pass(30_000);
  expect(receiver.received.map(({ data }) => [data['request_id'], data['subtype'], data['tool_name']])).toEqual([
    ['1', 'can_use_tool', 'Bash'],
    ['form', 'elicitation', undefined],
  ]);
  expect(JSON.stringify(receiver.received)).not.toMatch(/secret-command|which/);
  expect(onError).not.toHaveBeenCalled();
});

verifies(
  'NOTIFY-3',
  'an answer by any client withdraws a report, as does the agent that cancels its question',
  async () => {
    const receiver = new Receiver();
    const { newSession, pass } = await startServer(receiver);
    const session = await newSession();
    const worker = await session.claimLease();
    await worker.say(permission('1'), permission('2'), permission('3'));
    await session.send([answer('3')], TOKENS.approver);
    await pass(30_000);
    await session.send([answer('1')], TOKENS.approver);
    await pass(0);
    await worker.say({ type: 'control_cancel_request', request_id: '2' });
    await pass(0);
    expect(receiver.received.map(({ type, data }) => [type, data['request_id'], data['outcome']])).toEqual([
      ['question.waiting', '1', undefined],
      ['question.waiting', '2', undefined],
      ['question.settled', '1', 'answered'],
      ['question.settled', '2', 'cancelled'],
    ]);
  },
);

test('an archived session withdraws its reports', async () => {
  const receiver = new Receiver();
  const { newSession, call, pass } = await startServer(receiver);
  const session = await newSession();
  await (await session.claimLease()).say(permission('1'));
  await pass(30_000);
  await call(`${session.base}/archive`, { token: TOKENS.driver, json: {} });
  await pass(0);
  expect(receiver.types).toEqual(['waiting', 'settled']);
});

verifies(
  'NOTIFY-1',
  'a server that is started again reports what its predecessor has not reported, and withdraws what it has',
  async () => {
    const receiver = new Receiver();
    const first = await startServer(receiver);
    const { id, claimLease } = await first.newSession();
    const worker = await claimLease();
    await worker.say(permission('1'), permission('gone'));
    await first.pass(30_000);
    await worker.say(permission('2'));
    await first.pass(1000);
    await first.ingress.drain();
    const second = await startServer(receiver, { log: first.log });
    const session = second.sessionOf(id);
    await session.claimLease();
    await second.pass(60_000);
    expect(receiver.received.map(({ type, data }) => [type, data['request_id']])).toEqual([
      ['question.waiting', '1'],
      ['question.waiting', 'gone'],
      ['question.waiting', '2'],
    ]);
    await session.send([answer('1'), answer('2')]);
    await second.pass(0);
    expect(receiver.types.slice(3)).toEqual(['settled', 'settled']);
    await second.ingress.drain();
    const third = await startServer(receiver, { log: first.log });
    await third.sessionOf(id).claimLease();
    await third.pass(60_000);
    expect(receiver.types.slice(5)).toEqual([]);
  },
);

test('the questions that an agent lists in its answer to an initialize are reported, once', async () => {
  const receiver = new Receiver();
  const { newSession, pass } = await startServer(receiver);
  const session = await newSession();
  const worker = await session.claimLease();
  await session.send([{ type: 'control_request', request_id: 'init', request: { subtype: 'initialize' } }]);
  const answered = { subtype: 'success', request_id: 'init', response: { commands: [] } };
  const pending_permission_requests = [{ ...permission('1'), uuid: 'a' }];
  await worker.say({ type: 'control_response', response: { ...answered, pending_permission_requests } });
  await pass(30_000);
  expect(receiver.received.map(({ data }) => data['request_id'])).toEqual(['1']);
});

verifies(
  'NOTIFY-1',
  'a question is reported once by the server that takes over its session, also if the other one wakes up',
  async () => {
    const receiver = new Receiver();
    const notify = { url: HOOK, secret: SECRET, fetch: receiver.fetch };
    const { nodes, pass } = await startNodes(2, () => ({ notify }));
    const [a, b] = nodes as readonly TestNode[] as readonly [TestNode, TestNode];
    const id = await a.newSession();
    const lease = await a.claimLease(id);
    await lease.say(a, permission('1'));
    a.clock.isStopped = true;
    await pass(TTL_MS + 2000);
    await lease.follow(b);
    await pass(60_000);
    expect(receiver.types).toEqual(['waiting']);
    a.clock.isStopped = false;
    await pass(60_000);
    await b.post(id, [answer('1')]);
    await pass(1000);
    expect(receiver.types).toEqual(['waiting', 'settled']);
    expect([a.errors, b.errors]).toEqual([[], []]);
  },
);

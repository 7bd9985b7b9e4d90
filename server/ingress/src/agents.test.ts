/** Tests of the interface to local agents: when the server requests an agent, and the answers to clients if no agent can run. */
import { expect, test } from 'vitest';
import { answer, startIngress, TOKENS, user } from './ingress.test-support.ts';
import type { AgentFailure } from './session/session-context.ts';

/** Records the calls of an ingress to the agents interface. */
function recording() {
  const calls: string[] = [];
  let failure: AgentFailure | undefined;
  return {
    calls,
    fail: (next: AgentFailure | undefined) => void (failure = next),
    agents: {
      need: (session: string) => void calls.push(`need ${session}`),
      failureOf: () => failure,
      end: (session: string) => void calls.push(`end ${session}`),
    },
  };
}

test('the creation, a read or a message of a driver requests an agent, but not in an archived session', async () => {
  const { calls, agents } = recording();
  const { newSession, call } = await startIngress({ agents });
  const session = await newSession();
  const id = session.base.split('/').at(-1);
  expect(calls.splice(0)).toEqual([`need ${id}`]);
  const viewer = await session.view(0, TOKENS.driver);
  expect(calls.splice(0)).toEqual([`need ${id}`]);
  await session.send([user('hello')]);
  expect(calls.splice(0)).toEqual([`need ${id}`]);
  // These accounts may not send prompts, so reading with their tokens starts no agent.
  for (const token of [TOKENS.viewer, TOKENS.approver]) await (await session.view(0, token)).close();
  await session.send([answer('p', 'allow')], TOKENS.approver);
  expect(calls.splice(0)).toEqual([]);
  await call(`${session.base}/archive`, { token: TOKENS.driver, json: {} });
  expect(calls.splice(0)).toEqual([`end ${id}`]);
  await (await session.view(0, TOKENS.driver)).close();
  expect((await session.send([user('too late')])).status).toBe(410);
  expect(calls).toEqual([]);
  await viewer.close();
});

test('sending to a session whose agent failed is refused with 502, and its log stays readable', async () => {
  const { fail, agents } = recording();
  const { newSession } = await startIngress({ agents });
  const session = await newSession();
  await session.send([user('before')]);
  fail({ type: 'agent_exited', message: 'the agent exited with code 3' });
  const refused = await session.send([user('after')]);
  expect([refused.status, refused.body]).toEqual([
    502,
    { type: 'error', error: { type: 'agent_exited', message: 'the agent exited with code 3' } },
  ]);
  const viewer = await session.view();
  expect(await viewer.take(1)).toMatchObject([{ uuid: 'uuid-before' }]);
  await viewer.close();
  fail(undefined);
  expect((await session.send([user('again')])).status).toBe(200);
});

test('a client without a token is refused, unless the accounts have an anonymous account', async () => {
  const { call } = await startIngress();
  expect((await call('/v1/code/sessions', { json: {} })).status).toBe(401);
  const anonymous = { name: 'anybody', role: 'driver' } as const;
  const open = await startIngress({ accounts: { anonymous, authenticate: async () => undefined } });
  expect((await open.call('/v1/code/sessions', { json: {} })).status).toBe(200);
  expect((await open.call('/v1/code/sessions', { token: 'unknown', json: {} })).status).toBe(401);
});

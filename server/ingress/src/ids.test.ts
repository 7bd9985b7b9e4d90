/** Ids belong to their sender: no client can suppress messages of another by using their ids. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, assistant, permission, startIngress, TOKENS, user } from './ingress.test-support.ts';

const uuidsOf = (payloads: readonly object[]) => payloads.map((payload) => (payload as { uuid: string }).uuid);

async function leased() {
  const started = await startIngress();
  const session = await started.newSession();
  return { ...started, session, ...(await session.claimLease()) };
}

test('an approver cannot suppress messages of the worker by taking their ids in advance', async () => {
  const { session, say } = await leased();
  await say(permission('p'));
  const viewer = await session.view();
  const taken = await session.send([answer('p', 'allow', 'uuid-next')], TOKENS.approver);
  expect(taken.body['events']).toMatchObject([{ duplicate: false }]);
  const said = await say(assistant('next'), assistant('other'));
  expect(said.body['results']).toMatchObject([
    { event_id: 'worker:uuid-next', duplicate: false },
    { event_id: 'uuid-other', duplicate: false },
  ]);
  // A message that the worker repeats, because the reply was lost, is recognized as the same message.
  expect((await say(assistant('next'))).body['results']).toMatchObject([
    { event_id: 'worker:uuid-next', sequence_num: 3, duplicate: true },
  ]);
  expect(uuidsOf(await viewer.take(4))).toEqual(['asks-p', 'uuid-next', 'uuid-next', 'uuid-other']);
  await viewer.close();
});

test('answers to unknown requests are refused and stored under no id', async () => {
  const { session, say, log } = await leased();
  const answers = Array.from({ length: 500 }, (_, n) => answer(`none-${n}`, 'allow', `uuid-${n}`));
  const { status, body } = await session.send(answers, TOKENS.approver);
  expect(status).toBe(200);
  for (const result of body['events'] as object[])
    expect(result).toMatchObject({ error: { type: 'request_not_open' } });
  expect((await log.read(session.id, 0)).events).toEqual([]);
  expect((await say(assistant('7'))).body['results']).toMatchObject([{ event_id: 'uuid-7', duplicate: false }]);
});

test('a message under an id of another sender is refused with a separate error, and never called a duplicate', async () => {
  const { session, say } = await leased();
  await session.send([user('a')]);
  await say(permission('p'), assistant('said'));
  const { body } = await session.send(
    [
      answer('p', 'allow', 'uuid-a'),
      answer('p', 'allow', 'uuid-said'),
      answer('p', 'allow', 'worker:uuid-x'),
      answer('p', 'allow', 'own'),
    ],
    TOKENS.approver,
  );
  expect(body['events']).toMatchObject([
    { error: { type: 'event_id_taken' } },
    { error: { type: 'already_resolved' } },
    { error: { type: 'event_id_taken' } },
    { error: { type: 'already_resolved' } },
  ]);
  expect(JSON.stringify(body)).not.toContain('duplicate');
  expect((await session.send([answer('p', 'allow', 'own')], TOKENS.approver)).body['events']).toMatchObject([
    { duplicate: false },
  ]);
});

verifies(
  ['RES-9', 'RES-11'],
  'an echo by the worker is a duplicate only if it has the same type, and for an answer the same request',
  async () => {
    const { session, say, log } = await leased();
    await say(permission('p'), permission('q'));
    await session.send([user('a'), answer('p', 'allow', 'answer')]);
    const echoes = await say({ ...user('a'), isReplay: true }, answer('p', 'allow', 'answer'));
    expect(echoes.body['results']).toMatchObject([{ duplicate: true }, { duplicate: true }]);
    const others = await say(answer('q', 'allow', 'answer'), { ...assistant('a') });
    expect(others.body['results']).toMatchObject([
      { event_id: 'worker:answer', duplicate: false },
      { event_id: 'worker:uuid-a', duplicate: false },
    ]);
    expect((await log.read(session.id, 0)).last).toBe(6);
  },
);

test('a repeat under the same id is a duplicate for its own account, but not for another account', async () => {
  const { session, say } = await leased();
  await say(permission('p'));
  expect((await session.send([answer('p', 'allow', 'same')], TOKENS.approver)).body['events']).toMatchObject([
    { duplicate: false },
  ]);
  expect((await session.send([answer('p', 'allow', 'same')], TOKENS.approver)).body['events']).toMatchObject([
    { duplicate: true },
  ]);
  expect((await session.send([answer('p', 'allow', 'same')])).body['events']).toMatchObject([
    { error: { type: 'already_resolved' } },
  ]);
});

test('an ephemeral request is open, and its answer reaches the worker', async () => {
  const { session, write, follow } = await leased();
  const stream = await follow();
  await write([{ payload: permission('p'), ephemeral: true }]);
  expect((await session.send([answer('p', 'allow')], TOKENS.approver)).body['events']).toMatchObject([
    { duplicate: false },
  ]);
  expect(await stream.take(1)).toMatchObject([{ type: 'control_response' }]);
});

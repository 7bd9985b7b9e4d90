/** Damaged entries of the log are skipped, counted and reported, and the session stays usable. */
import { expect, test } from 'vitest';
import { answer, assistant, permission, startIngress, TOKENS, user } from './ingress.test-support.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const DAMAGED = ['{"type":"user"', '', '7', '{"type":"user"},"x":1', '\u0000'];

async function damaged() {
  const log = createMemoryEventLog();
  const first = await startIngress({ log });
  const { id } = await first.newSession();
  await first.ingress.drain();
  await log.append(id, [
    {
      id: 'first',
      type: 'user',
      source: 'client',
      payload: '{"type":"user","uuid":"first"}',
      attributes: '{"sender":',
    },
    ...DAMAGED.map((payload, n) => ({ id: `bad-${n}`, type: 'control_request', source: 'worker', payload })),
    { id: 'last', type: 'assistant', source: 'worker', payload: '{"type":"assistant","uuid":"last"}' },
  ]);
  const errors: unknown[] = [];
  const started = await startIngress({ log, onError: (error) => errors.push(error) });
  return { id, errors, ...started, session: started.sessionOf(id) };
}

test('a session with invalid rows can be read, written and archived, and the error handler is called', async () => {
  const { session, call, errors } = await damaged();
  const viewer = await session.view();
  expect(await viewer.take(2)).toMatchObject([{ uuid: 'first' }, { uuid: 'last' }]);
  const listed = await call(`${session.base}/events`, { method: 'GET', token: TOKENS.viewer });
  expect(listed.body['data']).toMatchObject([{ event_id: 'first' }, { event_id: 'last' }]);
  const { say, follow } = await session.claimLease();
  const stream = await follow();
  expect(await stream.take(1)).toMatchObject([{ uuid: 'first' }]);
  await session.send([user('next')]);
  await say(assistant('more'), permission('p'));
  expect((await session.send([answer('p', 'allow')])).body['events']).toMatchObject([{ duplicate: false }]);
  const { body } = await call(session.base, { method: 'GET', token: TOKENS.viewer });
  expect(body['session']).toMatchObject({ skipped_entries: DAMAGED.length });
  // Errors are reported at counts 1, 10, 100 and so on, so that a damaged log does not flood the handler.
  expect(errors).toMatchObject([{ name: 'SkippedError', session: session.id, count: 1 }]);
  expect((await call(`${session.base}/archive`, { token: TOKENS.driver })).status).toBe(200);
});

test.each(['session', 'worker', 'checkpoint', 'initialization'])(
  'a session whose document %s is damaged can be read and written',
  async (name) => {
    const { log, id } = await damaged();
    for (const text of ['{', '7', '{}']) {
      await log.writeDocument(id, name, text);
      const { sessionOf, call } = await startIngress({ log });
      const session = sessionOf(id);
      expect((await call(session.base, { method: 'GET', token: TOKENS.viewer })).status).toBe(200);
      expect((await session.send([user(`${name}${text}`)])).status).toBe(200);
      const { say } = await session.claimLease();
      expect((await say(assistant(`${name}${text}`))).status).toBe(200);
    }
  },
);

test('a transcript with invalid rows is read without them', async () => {
  const { log, id, session } = await damaged();
  const { worker, get } = await session.claimLease();
  await worker('/internal-events', { events: [{ payload: user('a') }] });
  await log.append(`${id}/internal`, [
    { id: 'bad', type: 'user', source: 'worker', payload: '{', attributes: '{}' },
    { id: 'odd', type: 'user', source: 'worker', payload: '{"type":"user","uuid":"odd"}', attributes: '{' },
  ]);
  const { status, body } = await get('/internal-events');
  expect(status).toBe(200);
  expect(body['data']).toMatchObject([{ event_id: 'uuid-a' }, { event_id: 'odd' }]);
});

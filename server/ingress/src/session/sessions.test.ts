import { expect, test } from 'vitest';
import { readFrames, startIngress, TOKENS, user } from '../ingress.test-support.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { createAnswerRate } from '../rate/rate-limit.ts';
import { openWebSink } from '../stream/event-sink.ts';
import type { Session } from './session.ts';
import { Sessions } from './sessions.ts';
import { BEGINNING } from '../stream/reader-cursor.ts';

const context = {
  now: Date.now,
  stallTimeoutMs: 1000,
  maxStoredSessions: 10,
  answerRate: createAnswerRate(Date.now),
  onError: () => {},
};

async function create(sessions: Sessions): Promise<Session> {
  const session = await sessions.create('a');
  if (session === undefined) throw new Error('no session was created');
  return session;
}

test('a session stays the same object while any code holds it, also after its release', async () => {
  const sessions = new Sessions({ ...context, log: createMemoryEventLog(), maxSessions: 10 });
  // A request with a slow body would hold the session like this.
  const held = await create(sessions);
  await sessions.release();
  await sessions.release();
  expect(sessions.size).toBe(0);
  expect(await sessions.find(held.record.id)).toBe(held);
  expect(sessions.size).toBe(1);
});

test('a reader of a released session can still be ended when the server shuts down', async () => {
  const sessions = new Sessions({ ...context, log: createMemoryEventLog(), maxSessions: 1 });
  const held = await create(sessions);
  expect(sessions.hasRoom()).toBe(true);
  const { response, sink } = openWebSink({});
  held.openViewer(sink, BEGINNING);
  const viewer = readFrames(response);
  await viewer.until(() => viewer.of('resume').length === 1);
  expect(sessions.size).toBe(0);
  for (const session of sessions.alive) session.subscribers.endAll();
  await viewer.ended;
});

test('idle sessions are released to make room, and without an idle session further ones are refused', async () => {
  const { newSession, call } = await startIngress({ limits: { maxSessions: 2 } });
  const [one, two, three] = [await newSession(), await newSession(), await newSession()];
  const [first, second] = [await one.view(), await two.view()];
  const look = (base: string) => call(base, { method: 'GET', token: TOKENS.viewer });
  for (const answer of [await look(three.base), await call('/v1/code/sessions', { token: TOKENS.driver, json: {} })]) {
    expect(answer).toMatchObject({ status: 429, body: { error: { type: 'rate_limit_error' } } });
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  expect((await look(one.base)).status).toBe(200);
  await first.close();
  expect((await look(three.base)).status).toBe(200);
  await two.send([user('a')]);
  await second.take(1);
});

test('the number of stored sessions is limited, also for concurrent requests, until old sessions expire', async () => {
  let time = 1_000_000_000;
  const now = () => time;
  const log = createMemoryEventLog({ now, maxAgeMs: 1000 });
  const { call } = await startIngress({ log, now, limits: { maxStoredSessions: 3 } });
  const make = () => call('/v1/code/sessions', { token: TOKENS.driver, json: {} });
  const answers = await Promise.all(Array.from({ length: 5 }, make));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 507, 507]);
  expect(answers.find(({ status }) => status === 507)?.body).toMatchObject({ error: { type: 'too_many_sessions' } });
  time += 2000;
  await log.expire();
  expect((await make()).status).toBe(200);
});

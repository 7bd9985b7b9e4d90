import { expect, test } from 'vitest';
import { readFrames, startIngress, TOKENS, user } from '../ingress.test-support.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { openWebSink } from '../stream/web-sink.ts';
import { createSessions } from './sessions.ts';

const context = { now: Date.now, stallTimeoutMs: 1000 };

test('a session is one object for as long as anybody has it, also when it was let go of', async () => {
  const sessions = createSessions({ ...context, log: createMemoryEventLog(), maxSessions: 10 });
  // Such as a request whose body takes its time.
  const held = await sessions.create('a');
  sessions.release();
  sessions.release();
  expect(sessions.size).toBe(0);
  expect(await sessions.find(held.record.id)).toBe(held);
  expect(sessions.size).toBe(1);
});

test('who begins to read a session that was let go of is kept alive, and told when the server goes down', async () => {
  const sessions = createSessions({ ...context, log: createMemoryEventLog(), maxSessions: 1 });
  const held = await sessions.create('a');
  expect(sessions.hasRoom()).toBe(true);
  const { response, sink } = openWebSink({});
  held.openViewer(sink, 0);
  const viewer = readFrames(response);
  await viewer.until(() => viewer.of('resume').length === 1);
  expect(sessions.size).toBe(0);
  for (const session of sessions.alive) session.readers.endAll();
  await viewer.ended;
});

test('of those in memory the ones that nobody reads make room; where all are read there is none', async () => {
  const { newSession, call } = await startIngress({ maxSessions: 2 });
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

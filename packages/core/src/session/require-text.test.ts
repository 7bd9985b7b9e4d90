import { expect, test } from 'vitest';
import { playedSession } from './played-session.test-support.ts';

test.each([
  ['the subtype alone', 'initialize'],
  ['no subtype', {}],
  ['a subtype that is an object', { subtype: { subtype: 'initialize' } }],
  ['null', null],
])('a session refuses a request that is %s with a TypeError that shows the call', async (_, request) => {
  const { session, sent } = playedSession();
  const answer = await session.request(request as never).catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(TypeError);
  expect(String(answer)).toContain("call request({ subtype: '");
  expect([session.pending.size, sent]).toEqual([0, []]);
});

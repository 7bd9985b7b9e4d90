import { expect, test } from 'vitest';
import { assistant } from '../run.test-support.ts';
import { type Answer, asks, begins, ID, says, serverOf } from './session-server.test-support.ts';

test('a log is read page by page, each page from the cursor of the page before', async () => {
  const { asked, warnings, read } = await serverOf({
    '/events?limit=1000': [200, { data: [asks('p1'), begins('p1'), says('a1')], next_cursor: '3' }],
    '/events?limit=1000&after=3': [
      200,
      { data: [asks('p2'), begins('p2'), says('a2'), asks('p3')], next_cursor: null },
    ],
  });
  const { sessionId, messages } = (await read()) ?? { messages: [] };
  expect(sessionId).toBe(ID);
  expect(messages.map(({ uuid }) => uuid)).toEqual(['p1', 'a1', 'p2', 'a2']);
  expect(warnings).toEqual(['Warning: prompts that have not started a turn remain in the remote session (1)']);
  expect(asked).toEqual([
    ['/events?limit=1000', 'Bearer token'],
    ['/events?limit=1000&after=3', 'Bearer token'],
  ]);
});

test('a log whose beginning was deleted causes a warning', async () => {
  const data = [says('a0'), asks('p1'), begins('p1'), says('a1')];
  const { warnings, read } = await serverOf({
    '/events?limit=1000': [200, { data, next_cursor: null, missing: { from: 1, to: 7 } }],
  });
  expect((await read())?.messages.map(({ uuid }) => uuid)).toEqual(['p1', 'a1']);
  expect(warnings).toEqual([expect.stringContaining('no longer has the beginning of this session')]);
});

test('the transcript of the workers is read page by page when the token belongs to a worker', async () => {
  const row = (uuid: string, parentUuid: string | null) => ({
    payload: { ...assistant(uuid), uuid, parentUuid, sessionId: ID },
  });
  const { read } = await serverOf({
    '/events?limit=1000': [401, {}],
    '/worker/internal-events?limit=1000': [200, { data: [row('a1', null)], next_cursor: '1' }],
    '/worker/internal-events?limit=1000&cursor=1': [200, { data: [row('a2', 'a1')] }],
  });
  expect(await read()).toMatchObject({ sessionId: ID, messages: [{ uuid: 'a1' }, { uuid: 'a2' }] });
});

test('a session above the size limit is refused, however many pages it has', async () => {
  const page = (next: string): Answer => [200, { data: [says('a'.repeat(400))], next_cursor: next }];
  const answers: Record<string, Answer> = { '/events?limit=1000': page('1') };
  for (let n = 1; n < 20; n++) answers[`/events?limit=1000&after=${n}`] = page(String(n + 1));
  const { asked, read } = await serverOf(answers);
  await expect(read(undefined, 3000)).rejects.toThrow('too large to continue here: more than 3000 bytes');
  expect(asked.length).toBeLessThan(6);
});

test('a server without accounts is read without a token', async () => {
  const { asked, read } = await serverOf({ '/events?limit=1000': [200, { data: [], next_cursor: null }] });
  expect(await read({})).toEqual({ sessionId: undefined, messages: [] });
  expect(asked).toEqual([['/events?limit=1000', undefined]]);
});

test.each<[Answer, string]>([
  [[200, 'no JSON'], 'is not a session server'],
  [[200, []], 'is not a session server'],
  [[302, {}], 'cannot return the remote session cse_1 at the moment: it answered 302'],
  [[503, { error: { message: 'accounts cannot be read' } }], 'it answered 503: accounts cannot be read'],
  [
    [403, { error: { message: 'limited to others' } }],
    'does not allow reading the remote session cse_1: limited to others',
  ],
])('an answer of %j is an error that names the server', async (answer, text) => {
  const { read } = await serverOf({ '/events?limit=1000': answer });
  await expect(read()).rejects.toThrow(text);
});

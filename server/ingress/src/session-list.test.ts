/** Tests of the list of sessions, and of requests that are for no endpoint. */
import { expect, test } from 'vitest';
import { createAccounts } from './auth/accounts.ts';
import { startIngress, TOKENS } from './ingress.test-support.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const ask = {
  type: 'control_request',
  request_id: 'p',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} },
};
const list = '/v1/code/sessions';

test('every account gets the list of sessions, the newest first, with their open requests', async () => {
  const log = createMemoryEventLog();
  const { call, newSession } = await startIngress({ log });
  const [first, second] = [await newSession(), await newSession()];
  await (await first.claimLease()).say(ask);
  await call(`${second.base}/archive`, { token: TOKENS.driver });
  for (const token of Object.values(TOKENS)) {
    const { status, body } = await call(list, { method: 'GET', token });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [
        { id: second.id, title: 'a title', archived: true, open_requests: 0 },
        { id: first.id, archived: false, open_requests: 1 },
      ],
      next_before: null,
    });
  }
  // A server that was restarted has no session in memory.
  const again = await startIngress({ log });
  const { body } = await again.call(list, { method: 'GET', token: TOKENS.viewer });
  expect(body['data']).toMatchObject([{ id: second.id }, { id: first.id, open_requests: 1 }]);
});

test('a list has pages', async () => {
  const { call, newSession } = await startIngress();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift((await newSession()).id);
  const pages: unknown[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const query = before === '' ? '' : `&before=${before}`;
    const { body } = await call(`${list}?limit=2${query}`, { method: 'GET', token: TOKENS.viewer });
    pages.push((body['data'] as { id: string }[]).map(({ id }) => id));
    before = body['next_before'] as string | null;
  }
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect((await call(`${list}?limit=x`, { method: 'GET', token: TOKENS.viewer })).status).toBe(400);
});

test('an account that is limited to some sessions sees only these, and nobody sees them without a token', async () => {
  const log = createMemoryEventLog();
  const { newSession } = await startIngress({ log });
  const [mine] = [await newSession(), await newSession()];
  const token = 'limited-token-0123456789';
  const entry = { name: 'limited', role: 'viewer' as const, token, sessions: ['cse_gone', mine.id] };
  const { call } = await startIngress({ log, accounts: await createAccounts([entry]) });
  const { body } = await call(list, { method: 'GET', token });
  expect(body).toMatchObject({ data: [{ id: mine.id }], next_before: null });
  expect((body['data'] as unknown[]).length).toBe(1);
  const first = await call(`${list}?limit=1`, { method: 'GET', token });
  expect(first.body).toEqual({ data: [], next_before: 'cse_gone' });
  expect((await call(`${list}?before=cse_gone`, { method: 'GET', token })).body).toMatchObject({
    data: [{ id: mine.id }],
  });
  expect((await call(list, { method: 'GET' })).status).toBe(401);
});

test('every answer is kept out of caches, and no browser guesses its type: of endpoints, of the fallback, and refusals', async () => {
  const { request } = await startIngress({ fallback: () => new Response('a page') });
  const answers = await Promise.all(
    ['/ui/enter', '/', list, `${list}/cse_unknown`, '/healthz'].flatMap((path) =>
      ['GET', 'POST', 'OPTIONS', 'PUT'].flatMap((method) =>
        [{}, { host: 'evil.example' }, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }].map(
          (headers) => request(path, { method, headers, token: TOKENS.driver }),
        ),
      ),
    ),
  );
  expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(3);
  for (const { headers } of answers) {
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual(['nosniff', 'no-store']);
  }
});

test('the fallback answers addresses that are not endpoints, after the checks of host and origin, and never an endpoint', async () => {
  const { request, call } = await startIngress({ fallback: ({ url }) => new Response(new URL(url).pathname) });
  expect(await (await request('/page', {})).text()).toBe('/page');
  expect((await request('/page', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await request('/page', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await call(list, { method: 'GET' })).status).toBe(401);
  expect(await (await startIngress()).request('/page', {}).then(({ status }) => status)).toBe(404);
});

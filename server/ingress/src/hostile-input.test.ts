/** Tests of requests by strangers and broken clients, and of the answer to each. */
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { answer, assistant, startIngress, TOKENS, user } from './ingress.test-support.ts';
import { createIngress } from './ingress.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const SECRET = 'a secret that is long enough for a test';
const NOW = Date.UTC(2030, 0, 1);

interface Hostile {
  readonly input: string;
  readonly path?: string;
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly type: string;
}

async function signed(
  claims: { readonly sub: string; readonly jti: string; readonly exp: number },
  secret = SECRET,
  alg = 'HS256',
) {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret.padEnd(64)));
}

const started = await startIngress({
  secret: SECRET.padEnd(64),
  now: () => NOW,
  limits: { maxBodyBytes: 10_000, maxStreams: 2 },
});
const session = await started.newSession();
const worker = await session.claimLease();
const other = await (await started.newSession()).claimLease();
const events = (...payloads: object[]) => JSON.stringify({ events: payloads.map((payload) => ({ payload })) });
const soon = NOW / 1000 + 60;
const initialize = (members: object) => ({
  type: 'control_request',
  request_id: 'i',
  request: { subtype: 'initialize', ...members },
});
const deep = `{"events":[{"payload":{"type":"user","uuid":"deep","x":${'['.repeat(1000)}${']'.repeat(1000)}}}]}`;

const unauthorized = { status: 401, type: 'authentication_error' };
const forbidden = { status: 403, type: 'permission_error' };
const invalid = { status: 400, type: 'invalid_request_error' };
const tooLarge = { status: 413, type: 'request_too_large' };

const table: readonly Hostile[] = [
  { input: 'no token', token: undefined, ...unauthorized },
  { input: 'a wrong token', token: 'x'.repeat(24), ...unauthorized },
  {
    input: 'a token of another scheme',
    token: undefined,
    headers: { authorization: `Basic ${TOKENS.driver}` },
    ...unauthorized,
  },
  { input: "a worker's token where an account is required", token: worker.token, ...unauthorized },
  { input: 'an account that is limited to other sessions', token: 'elsewhere-token-0123456789', ...forbidden },
  {
    input: 'a forged answer from a role that may not answer',
    token: TOKENS.viewer,
    body: events(answer('p', 'allow')),
    ...forbidden,
  },
  { input: 'a prompt from a role that may not prompt', token: TOKENS.approver, body: events(user('a')), ...forbidden },
  {
    input: 'an `initialize` that would change the agent, from a role that may not change it',
    token: TOKENS.approver,
    body: events(initialize({ mcpServers: { x: { command: 'sh' } } })),
    ...forbidden,
  },
  {
    input: 'a new session from a role that may not create sessions',
    path: '/v1/code/sessions',
    token: TOKENS.approver,
    ...forbidden,
  },
  {
    input: 'a request for credentials from a role that may not have them',
    path: `${session.base}/bridge`,
    token: TOKENS.viewer,
    ...forbidden,
  },
  {
    input: 'a renewal from a role that may not renew',
    path: `${session.base}/bridge/renew`,
    token: TOKENS.approver,
    ...forbidden,
  },
  { input: 'a renewal without a worker token', path: `${session.base}/bridge/renew`, ...invalid },
  {
    input: 'a renewal with a token that never had the lease',
    path: `${session.base}/bridge/renew`,
    body: JSON.stringify({ worker_jwt: await signed({ sub: session.id, jti: 'x', exp: soon }), worker_epoch: 1 }),
    status: 409,
    type: 'conflict_error',
  },
  {
    input: 'a session that does not exist',
    path: '/v1/code/sessions/cse_none/events',
    status: 404,
    type: 'not_found_error',
  },
  {
    input: 'an invalid session id',
    path: '/v1/code/sessions/@ingress/events',
    status: 404,
    type: 'not_found_error',
  },
  {
    input: 'a request for a transcript as a stream',
    path: `${session.base}%2Finternal/events`,
    status: 404,
    type: 'not_found_error',
  },
  { input: 'an endpoint that does not exist', path: '/v1/other', status: 404, type: 'not_found_error' },
  { input: 'a body that is not JSON', body: '{"events":', ...invalid },
  { input: 'a JSON body that is not an object', body: '[]', ...invalid },
  {
    input: 'a body that is not UTF-8',
    body: Uint8Array.from([...new TextEncoder().encode('{"events":[],"'), 0xff, ...new TextEncoder().encode('":1}')]),
    ...invalid,
  },
  { input: 'a body whose events are not a list', body: '{"events":{}}', ...invalid },
  {
    input: 'a body that names another session',
    body: JSON.stringify({ session_id: 'cse_other', events: [] }),
    ...invalid,
  },
  { input: 'a huge body', body: events(user('x'.repeat(20_000))), ...tooLarge },
  { input: 'a message nested more than 1 000 levels deep', body: deep, ...invalid },
  { input: 'a member name that occurs twice in the body', body: '{"events":[],"\\u0065vents":[]}', ...invalid },
  {
    input: 'a member name that occurs twice in an entry',
    body: '{"events":[{"payload":{"type":"user"},"p\\u0061yload":{"type":"user"}}]}',
    ...invalid,
  },
  {
    input: "an approver's answer that other JSON parsers may read differently",
    token: TOKENS.approver,
    body: '{"events":[{"payload":{"type":"control_response","Type":"user"}}]}',
    ...invalid,
  },
  { input: 'a `Host` of another server', headers: { host: 'evil.example' }, ...forbidden },
  { input: 'a rebound host name', headers: { host: 'evil.example', origin: 'http://evil.example' }, ...forbidden },
  { input: 'a page from another origin', headers: { origin: 'https://evil.example' }, ...forbidden },
  { input: 'a page with the origin `null`', headers: { origin: 'null' }, ...forbidden },
  {
    input: 'a page from another site that does not send its origin',
    headers: { 'sec-fetch-site': 'cross-site' },
    ...forbidden,
  },
  { input: 'an invalid ticket', path: `${session.base}/events/stream?ticket=x`, method: 'GET', ...unauthorized },
];

const workerTable: readonly Hostile[] = [
  { input: 'no token', token: undefined, ...unauthorized },
  { input: "an account's token", token: TOKENS.driver, ...unauthorized },
  { input: "the token of another session's worker", token: other.token, ...forbidden },
  { input: 'an expired token', token: await signed({ sub: session.id, jti: 'x', exp: soon - 120 }), ...unauthorized },
  {
    input: 'a token signed with another key',
    token: await signed({ sub: session.id, jti: 'x', exp: soon }, 'other'),
    ...unauthorized,
  },
  {
    input: 'a token signed with another algorithm',
    token: await signed({ sub: session.id, jti: 'x', exp: soon }, SECRET, 'HS512'),
    ...unauthorized,
  },
  {
    input: 'a token that is not signed',
    token: `${btoa('{"alg":"none"}')}.${btoa(`{"sub":"${session.id}"}`)}.`,
    ...unauthorized,
  },
  {
    input: 'a token that never had the lease',
    token: await signed({ sub: session.id, jti: 'x', exp: soon }),
    status: 409,
    type: 'conflict_error',
  },
  { input: 'no epoch', body: '{"events":[]}', ...invalid },
  { input: 'an epoch that is not a number', body: '{"worker_epoch":"1e3","events":[]}', ...invalid },
  { input: 'a body that is not JSON', body: 'x', ...invalid },
  { input: 'a huge body', body: events(assistant('x'.repeat(20_000))), ...tooLarge },
  {
    input: 'a member name that occurs twice in the body',
    body: '{"worker_epoch":1,"worker_epoc\\u0068":2,"events":[]}',
    ...invalid,
  },
];

describe('hostile input', () => {
  const check = (base: string, token: string) => async (hostile: Hostile) => {
    const { path = base, method = 'POST', headers = {}, status, type } = hostile;
    const { body = '{"worker_epoch":1,"events":[]}' } = hostile;
    const given = 'token' in hostile ? hostile.token : token;
    const before = (await started.log.read(session.id, 0)).last;
    const init = { method, headers, token: given, ...(method !== 'GET' && { body }) };
    const answered = await started.call(path, init);
    expect(answered).toMatchObject({ status, body: { type: 'error', error: { type } } });
    expect((await started.log.read(session.id, 0)).last).toBe(before);
    if (given !== undefined) expect(JSON.stringify(answered.body)).not.toContain(given);
  };
  test.each(table)('$input: $status $type', check(`${session.base}/events`, TOKENS.driver));
  test.each(workerTable)('a worker with $input: $status $type', check(`${session.base}/worker/events`, worker.token));

  test('docs/ingress.md lists every row of the tables', () => {
    const ofWorkers = workerTable.map((hostile) => ({ ...hostile, input: `a worker with ${hostile.input}` }));
    const lines = [...table, ...ofWorkers].map(({ input, status, type }) => `| ${input} | ${status} \`${type}\` |`);
    const document = readFileSync(new URL('../../../docs/ingress.md', import.meta.url), 'utf8').split('\n');
    expect(lines.filter((line) => !document.includes(line))).toEqual([]);
  });

  test('a stream above the limit is refused with 429, and accepted when another stream has ended', async () => {
    const [one, two] = [await session.view(), await session.view()];
    const refused = await started.call(`${session.base}/events/stream`, { method: 'GET', token: TOKENS.viewer });
    expect(refused.status).toBe(429);
    await one.close();
    await (await session.view()).close();
    await two.close();
  });

  test('a HEAD request opens no stream', async () => {
    for (let n = 0; n < 5; n++) {
      const response = await started.request(`${session.base}/events/stream`, { method: 'HEAD', token: TOKENS.viewer });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    }
    await (await session.view()).close();
  });

  test('a body without a length is counted as it arrives', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(4096)) });
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    expect((await started.call(`${session.base}/events`, { ...init, token: TOKENS.driver })).status).toBe(413);
  });
});

verifies(
  'SAFE-2',
  'a request under a rebound host name is refused first, and an allowed page gets headers to read the answer',
  async () => {
    const { call } = await startIngress({
      allowedHosts: ['sessions.example'],
      allowedOrigins: ['https://app.example'],
    });
    const evil = { host: 'evil.example', origin: 'http://evil.example' };
    const path = '/v1/code/sessions';
    expect(await call(path, { headers: evil })).toMatchObject({ status: 403, body: { error: { resource: 'host' } } });
    const page = { host: 'sessions.example:8080', origin: 'https://app.example' };
    const preflight = await call(path, { method: 'OPTIONS', headers: page });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ]);
    const made = await call(path, { headers: page, token: TOKENS.driver, json: {} });
    // The client can also read the reason of the refusal and the time to retry.
    const refused = await call(path, { headers: page, json: {} });
    for (const { headers } of [made, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
      expect(headers.get('access-control-expose-headers')).toBe('retry-after, x-ccr-conflict-reason');
    }
    expect(refused.status).toBe(401);
    // A proxy may add the port that a browser omits.
    const own = { host: 'sessions.example:443', origin: 'https://sessions.example' };
    expect((await call(path, { headers: own, token: TOKENS.driver, json: {} })).status).toBe(200);
    const other = { host: 'sessions.example:80', origin: 'https://sessions.example' };
    expect((await call(path, { headers: other, token: TOKENS.driver, json: {} })).status).toBe(403);
    expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example']);
    expect(
      (
        await call(path, {
          headers: { ...page, origin: 'https://sessions.example:8080' },
          token: TOKENS.driver,
          json: {},
        })
      ).status,
    ).toBe(200);
  },
);

test('a ticket opens one stream of its session, and is valid for a minute', async () => {
  let now = NOW;
  const { newSession, request, call } = await startIngress({ now: () => now });
  const [mine, others] = [await newSession(), await newSession()];
  const ticket = async () => {
    const { body } = await call(`${mine.base}/tickets`, { token: TOKENS.viewer });
    return String(body['ticket']);
  };
  const open = async (base: string, used: string) => {
    const response = await request(`${base}/events/stream?ticket=${used}`, { method: 'GET' });
    await response.body?.cancel();
    return response.status;
  };
  const first = await ticket();
  expect([await open(mine.base, first), await open(mine.base, first)]).toEqual([200, 401]);
  expect(await open(others.base, await ticket())).toBe(401);
  const late = await ticket();
  now += 60_000;
  expect(await open(mine.base, late)).toBe(401);
});

test('a secret of less than 32 characters is refused', () => {
  const parts = { log: createMemoryEventLog(), accounts: { authenticate: async () => undefined } };
  for (const secret of ['', 'x'.repeat(31)]) expect(() => createIngress({ ...parts, secret })).toThrow(TypeError);
});

/** Tests that a POST gets one answer, whether the server of Node reads it without a `Request` or the app reads it. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../auth/accounts.ts';
import { TOKENS } from '../ingress.test-support.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { listen } from '../node/listen.ts';

const user = { events: [{ payload: { type: 'user', uuid: 'a', message: { role: 'user', content: 'a' } } }] };

interface Post {
  readonly worker?: boolean;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What is sent, and the status of its answer. Headers replace those of a driver. */
const posts: readonly (readonly [what: string, post: Post, status: number])[] = [
  ['a message', { body: user }, 200],
  ['no message', { body: { events: [{ payload: 7 }] } }, 200],
  ['a page of an allowed origin', { headers: { origin: 'https://app.example' }, body: user }, 200],
  ['a page of another origin', { headers: { origin: 'https://evil.example' }, body: user }, 403],
  ['another host', { headers: { host: 'evil.example' }, body: user }, 403],
  ['another host and a wrong token', { headers: { host: 'evil.example', authorization: 'Bearer x' } }, 403],
  ['no token', { headers: { authorization: '' }, body: user }, 401],
  ['a viewer', { headers: { authorization: `Bearer ${TOKENS.viewer}` }, body: user }, 403],
  ['a viewer whose body is not JSON', { headers: { authorization: `Bearer ${TOKENS.viewer}` }, body: '{' }, 403],
  ['another session', { session: 'cse_none', body: user }, 404],
  ['a body of another session', { body: { ...user, session_id: 'cse_other' } }, 400],
  ['a body that is not JSON', { body: '{"events":[' }, 400],
  ['a body that is too large', { body: 'x'.repeat(3000) }, 413],
  ['a worker without a token', { worker: true, body: user }, 401],
];

/** The same address twice: the app reads only the second, because of its query. */
const READERS = ['', '?'] as const;

test.each(posts)('%s', async (_, { worker = false, session, headers = {}, body }, status) => {
  const accounts = await createAccounts([
    { name: 'driver', role: 'driver', token: TOKENS.driver },
    { name: 'viewer', role: 'viewer', token: TOKENS.viewer },
  ]);
  const answers = [];
  for (const query of READERS) {
    const allowedOrigins = ['https://app.example'];
    const server = await listen({
      log: createMemoryEventLog(),
      accounts,
      allowedOrigins,
      limits: { maxBodyBytes: 2000 },
    });
    onTestFinished(() => server.close());
    const authorization = `Bearer ${TOKENS.driver}`;
    const created = await fetch(`${server.url}/v1/code/sessions`, { method: 'POST', headers: { authorization } });
    const { id } = ((await created.json()) as { readonly session: { readonly id: string } }).session;
    const path = `/v1/code/sessions/${session ?? id}/${worker ? 'worker/' : ''}events${query}`;
    const sent = request(server.url + path, {
      method: 'POST',
      headers: { authorization, ...headers },
    });
    const answer = new Promise<object>((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        const { date: __, ...others } = response.headers;
        text(response).then((content) => resolve({ status: response.statusCode, headers: others, content }), reject);
      });
    });
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
    answers.push(await answer);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status, headers: { 'cache-control': 'no-store' } });
});

import { expect, test } from 'vitest';
import { oneSession } from './inspected-sessions.ts';
import { createInspectorApp } from './inspector-app.ts';
import { guardOrigin } from './guard.ts';
import { Visitors } from './visitors.ts';
import type { InspectedSession } from '../sessions/inspected-session.ts';

const session: InspectedSession = {
  state: { bytes: 0, isEnded: true, held: [], rights: { send: false, hold: false } },
  read: async () => new Uint8Array(),
  onChange: () => () => {},
  act: async () => {},
};
const sessions = oneSession('one', 'one', session);

/** The routes of a page whose visitors sign in with the token `right`. */
function pageApp() {
  const visitors = new Visitors();
  const app = createInspectorApp({
    page: { html: '', contentSecurityPolicy: "default-src 'none'" },
    visitors,
    cookie: () => 'visit',
    guard: guardOrigin,
    admit: async (token) => (token === 'right' ? sessions : undefined),
  });
  const enter = (
    body: object,
    headers: Readonly<Record<string, string>> = {},
    url = 'http://box.example/ui/enter',
    address = '192.0.2.1',
  ) =>
    app.request(
      url,
      {
        method: 'POST',
        headers: { host: 'box.example', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      },
      { address },
    );
  return { app, visitors, enter };
}

test('the cookie is for encrypted connections alone where the browser has one, to the server or to a proxy', async () => {
  const { enter } = pageApp();
  const cookieOf = async (...args: [headers?: Readonly<Record<string, string>>, url?: string]) =>
    (await enter({ token: 'right' }, ...args)).headers.get('set-cookie');
  expect(await cookieOf({ origin: 'http://box.example' })).not.toContain('Secure');
  expect(await cookieOf({ origin: 'https://box.example' })).toContain('; Secure;');
  expect(await cookieOf({}, 'https://box.example/ui/enter')).toContain('; Secure;');
});

test('wrong tokens of an address are refused for a while after 20, and right ones and tickets never', async () => {
  const { visitors, enter } = pageApp();
  for (let attempt = 0; attempt < 20; attempt++) expect((await enter({ token: 'guessed' })).status).toBe(401);
  const refused = await enter({ token: 'guessed' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await enter({ token: 'right' })).status).toBe(200);
  expect((await enter({ ticket: visitors.issueTicket(sessions) })).status).toBe(200);
  expect((await enter({ token: 'guessed' }, {}, undefined, '192.0.2.2')).status).toBe(401);
});

test('every answer is kept out of caches, and no browser guesses its type', async () => {
  const { app, enter } = pageApp();
  const { headers } = await enter({ token: 'right' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const answers: Response[] = [];
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const path of [
      '/',
      '/ui/enter',
      '/ui/tickets',
      '/ui/schemas',
      '/ui/sessions',
      '/ui/sessions/one/state',
      '/ui/x',
      '/x',
    ]) {
      for (const sent of [{}, { cookie }, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        answers.push(
          await app.request(`http://box.example${path}`, { method, headers: { host: 'box.example', ...sent } }),
        );
      }
    }
  }
  answers.push(await enter({ ticket: 'x'.repeat(20_000) }), await enter({ token: 'wrong' }));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401, 403, 404, 413]));
  for (const { url, status, headers: said } of answers) {
    const found = [said.get('x-content-type-options'), said.get('cache-control')];
    expect([url, status, ...found]).toEqual([url, status, 'nosniff', 'no-store']);
  }
});

test('right tokens are not counted', async () => {
  const { enter } = pageApp();
  for (let attempt = 0; attempt < 30; attempt++) expect((await enter({ token: 'right' })).status).toBe(200);
});

import { afterEach, expect, test } from 'vitest';
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

let tried: string[] = [];
afterEach(() => (tried = []));

/** The routes of a page whose visitors sign in with the token `right`. */
function pageApp() {
  const visitors = new Visitors();
  const app = createInspectorApp({
    page: { html: '', contentSecurityPolicy: "default-src 'none'" },
    visitors,
    cookie: () => 'visit',
    guard: guardOrigin,
    admit: async (token) => {
      tried.push(token);
      return token === 'right' ? sessions : undefined;
    },
  });
  const enter = (body: object, headers: Readonly<Record<string, string>> = {}, url = 'http://box.example/ui/enter') =>
    app.request(url, {
      method: 'POST',
      headers: { host: 'box.example', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
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

test('after 20 wrong tokens the next waits, untried, and tickets are exchanged all the same', async () => {
  const { visitors, enter } = pageApp();
  for (let attempt = 0; attempt < 20; attempt++) expect((await enter({ token: 'guessed' })).status).toBe(401);
  expect(tried).toHaveLength(20);
  const refused = await enter({ token: 'right' });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(tried).toHaveLength(20);
  expect((await enter({ ticket: visitors.issueTicket(sessions) })).status).toBe(200);
});

test('right tokens are not counted', async () => {
  const { enter } = pageApp();
  for (let attempt = 0; attempt < 30; attempt++) expect((await enter({ token: 'right' })).status).toBe(200);
});

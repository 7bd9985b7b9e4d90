import { verifies } from '@proto/test-support/verifies';
import { afterEach, expect } from 'vitest';
import { mountInspector, type MountedInspector, type VisitingAccount } from './mounted-inspector.ts';

const open: MountedInspector[] = [];
afterEach(() => {
  for (const mounted of open.splice(0)) mounted.close();
});

/** The page of a server in memory, which notes the token of each request. */
async function mounted(accounts: Readonly<Record<string, VisitingAccount>>) {
  const known = new Map(Object.entries(accounts));
  const tokens: (string | null)[] = [];
  const inspector = await mountInspector({
    fetch: ({ url, headers }) => {
      tokens.push(headers.get('authorization'));
      return Response.json(url.includes('?limit') ? { data: [{ id: 'one', title: 'mend it' }] } : {});
    },
    authenticate: async (token = '') => known.get(token),
  });
  open.push(inspector);
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}, body?: object) =>
    inspector.fetch(
      new Request(`http://box.example${path}`, {
        headers: { host: 'box.example', 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      }),
    );
  const enter = async (secret: object) => {
    const answer = await ask('/ui/enter', {}, secret);
    return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  return { inspector, known, tokens, ask, enter };
}

verifies('SAFE-5', 'each visitor asks with the token of the own account, and a viewer may not send', async () => {
  const { tokens, ask, enter } = await mounted({ d: { role: 'driver' }, v: { role: 'viewer' } });
  for (const [token, send] of [
    ['d', true],
    ['v', false],
  ] as const) {
    const { cookie } = await enter({ token });
    tokens.length = 0;
    const state = (await (await ask('/ui/sessions/one/state', { cookie })).json()) as { rights: object };
    expect(state.rights).toEqual({ send, hold: false });
    const message = { action: 'send', message: { type: 'user' } };
    expect((await ask('/ui/sessions/one/actions', { cookie }, message)).status).toBe(200);
    expect(await (await ask('/ui/sessions', { cookie })).json()).toMatchObject({ sessions: [{ id: 'one' }] });
    // Even if the page offers no action, the server decides, and it gets this token.
    expect(new Set(tokens)).toEqual(new Set([`Bearer ${token}`]));
  }
});

verifies('SAFE-5', 'a visit ends when its account is withdrawn, or gets another right to send', async () => {
  const { known, ask, enter } = await mounted({ d: { role: 'driver' } });
  const { cookie } = await enter({ token: 'd' });
  const status = async () => (await ask('/ui/sessions', { cookie })).status;
  expect(await status()).toBe(200);
  known.set('d', { role: 'viewer' });
  expect(await status()).toBe(401);
  known.set('d', { role: 'driver' });
  expect(await status()).toBe(200);
  known.delete('d');
  expect(await status()).toBe(401);
});

verifies(
  'SAFE-5',
  'an account whose role has changed can enter again at once, with the rights of the new role',
  async () => {
    const { known, ask, enter } = await mounted({ d: { name: 'd', role: 'driver' } });
    const sendsBy = async (cookie: string) =>
      ((await (await ask('/ui/sessions/one/state', { cookie })).json()) as { rights?: { send: boolean } }).rights?.send;
    for (const role of ['viewer', 'driver', 'approver', 'viewer', 'driver'] as const) {
      known.set('d', { name: 'd', role });
      const { status, cookie } = await enter({ token: 'd' });
      expect(status).toBe(200);
      expect(await sendsBy(cookie)).toBe(role !== 'viewer');
    }
  },
);

verifies('SAFE-5', 'the tokens of one account end no visit of another account', async () => {
  const tokens = Array.from({ length: 300 }, (_, n) => [`v${n}`, { name: 'v', role: 'viewer' }] as const);
  const { ask, enter } = await mounted({ d: { name: 'd', role: 'driver' }, ...Object.fromEntries(tokens) });
  const { cookie } = await enter({ token: 'd' });
  const last: string[] = [];
  for (const [token] of tokens) last.push((await enter({ token })).cookie);
  expect((await ask('/ui/sessions', { cookie })).status).toBe(200);
  expect((await ask('/ui/sessions', { cookie: last.at(-1) ?? '' })).status).toBe(200);
  expect((await ask('/ui/sessions', { cookie: last[0] ?? '' })).status).toBe(401);
});

verifies('SAFE-4', 'a link has a ticket that is good once, with the rights of its token', async () => {
  const { inspector, ask, enter } = await mounted({ v: { role: 'viewer' } });
  const link = await inspector.link('http://box.example', 'v');
  const ticket = new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('ticket');
  const { status, cookie } = await enter({ ticket });
  expect(status).toBe(200);
  expect(await (await ask('/ui/sessions/one/state', { cookie })).json()).toMatchObject({ rights: { send: false } });
  expect((await enter({ ticket })).status).toBe(401);
  expect(await inspector.link('http://box.example', 'no-account')).toBeUndefined();
});

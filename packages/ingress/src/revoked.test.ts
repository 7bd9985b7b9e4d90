/** Accounts that are taken away while their links are open. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Account, Accounts } from './auth/accounts.ts';
import { readFrames, startIngress, user } from './ingress.test-support.ts';
import { later, start } from './socket/socket-suite.test-support.ts';

afterEach(() => void vi.useRealTimers());

const TOKEN = { stays: 'token-of-who-stays', leaves: 'token-of-who-leaves' };

/** Two drivers, one of whom can be taken away. */
function leaving() {
  const gone = { is: false };
  const [stays, leaves]: readonly Account[] = [
    { name: 'stays', role: 'driver' },
    { name: 'leaves', role: 'driver' },
  ];
  const accounts: Accounts = {
    authenticate: async (token) =>
      token === TOKEN.stays ? stays : token === TOKEN.leaves && !gone.is ? leaves : undefined,
    isCurrent: async (account) => account === stays || !gone.is,
  };
  return { gone, accounts };
}

test('event streams of an account that is taken away end within a minute, those opened by a ticket as well; others go on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { gone, accounts } = leaving();
  const { call, request } = await startIngress({ accounts });
  const made = await call('/v1/code/sessions', { token: TOKEN.stays, json: {} });
  const base = `/v1/code/sessions/${(made.body['session'] as { id: string }).id}`;
  const open = async (init: Parameters<typeof request>[1], query = '') =>
    readFrames(await request(`${base}/events/stream${query}`, { method: 'GET', ...init }));
  const { ticket } = (await call(`${base}/tickets`, { token: TOKEN.leaves })).body;
  const [stays, leaves, byTicket] = [
    await open({ token: TOKEN.stays }),
    await open({ token: TOKEN.leaves }),
    await open({}, `?ticket=${String(ticket)}`),
  ];
  gone.is = true;
  vi.advanceTimersByTime(60_000);
  await Promise.all([leaves.ended, byTicket.ended]);
  await call(`${base}/events`, { token: TOKEN.stays, json: { events: [{ payload: user('a') }] } });
  await stays.take(1);
});

test('over a WebSocket such an account sends nothing any more, and is told so for good', async () => {
  const driver = { name: 'driver', role: 'driver' } as const;
  let isCurrent = true;
  const { newSession } = await start({
    accounts: { authenticate: async () => driver, isCurrent: async () => isCurrent },
  });
  const session = await newSession();
  const viewer = later(session.view());
  await viewer.opened;
  viewer.say(user('one'));
  await viewer.take(1);
  isCurrent = false;
  viewer.say(user('two'));
  expect(await viewer.closed).toBe(4003);
  expect(await session.events()).toHaveLength(1);
});

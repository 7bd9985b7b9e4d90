import { expect, test } from 'vitest';
import { startIngress, TOKENS } from '../ingress.test-support.ts';
import type { Account } from './accounts.ts';
import { createTickets, MAX_TICKETS_PER_ACCOUNT } from './tickets.ts';

const TICKET_MS = 60_000;

const alice: Account = { name: 'alice', role: 'viewer' };
const bob: Account = { name: 'bob', role: 'driver' };

/** Tickets with a clock that the test sets. */
function issuing() {
  const clock = { now: 0 };
  const tickets = createTickets(() => clock.now, TICKET_MS);
  const issue = (account: Account, count: number) =>
    Promise.all(Array.from({ length: count }, () => tickets.issue(account, 's')));
  const open = (given: readonly string[]) => given.filter((ticket) => tickets.holderOf(ticket, 's') !== undefined);
  return { clock, tickets, issue, open };
}

test('a ticket stays valid however many tickets another account requests', async () => {
  const { newSession, call, request } = await startIngress();
  const session = await newSession();
  const { ticket } = (await call(`${session.base}/tickets`, { token: TOKENS.driver })).body;
  for (let n = 0; n < 10_100; n++) await call(`${session.base}/tickets`, { token: TOKENS.viewer });
  const opened = await request(`${session.base}/events/stream?ticket=${String(ticket)}`, { method: 'GET' });
  await opened.body?.cancel();
  expect(opened.status).toBe(200);
});

test('above the limit, the oldest ticket of the same account becomes invalid, and no other', async () => {
  const { issue, open } = issuing();
  const ofBob = await issue(bob, MAX_TICKETS_PER_ACCOUNT);
  const ofAlice = await issue(alice, MAX_TICKETS_PER_ACCOUNT + 2);
  expect(open(ofBob)).toEqual(ofBob);
  expect(open(ofAlice)).toEqual(ofAlice.slice(2));
});

test('equal accounts with different objects share one limit', async () => {
  const { issue, open } = issuing();
  const first = await issue(alice, 1);
  await issue({ ...alice }, MAX_TICKETS_PER_ACCOUNT);
  expect(open(first)).toEqual([]);
});

test('a used or expired ticket frees a place under the limit', async () => {
  const { clock, tickets, issue, open } = issuing();
  const early = await issue(alice, MAX_TICKETS_PER_ACCOUNT);
  expect(tickets.redeem(early[5] as string, 's')).toBe(alice);
  expect(tickets.redeem(early[5] as string, 's')).toBeUndefined();
  await issue(alice, 1);
  expect(open(early)).toHaveLength(MAX_TICKETS_PER_ACCOUNT - 1);
  clock.now += TICKET_MS;
  expect(open(early)).toEqual([]);
  tickets.expire();
  const late = await issue(alice, MAX_TICKETS_PER_ACCOUNT);
  expect(open(late)).toEqual(late);
});

test('looking up the holder of a ticket does not redeem the ticket', async () => {
  const { tickets } = issuing();
  const ticket = await tickets.issue(alice, 's');
  expect([tickets.holderOf(ticket, 's'), tickets.holderOf(ticket, 'other')]).toEqual([alice, undefined]);
  expect(tickets.redeem(ticket, 's')).toBe(alice);
});

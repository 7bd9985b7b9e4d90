import { expect, test } from 'vitest';
import type { InspectedSessions } from './inspected-sessions.ts';
import { Visitors } from './visitors.ts';

const sessions: InspectedSessions = { isCurrent: async () => true, list: async () => [], open: async () => undefined };

test('a ticket is good once, for 60 s', () => {
  let now = 0;
  const visitors = new Visitors(() => now);
  const [first, second] = [visitors.issueTicket(sessions), visitors.issueTicket(sessions)];
  expect(first).toMatch(/^[\w-]{43}$/);
  now = 59_999;
  expect(visitors.redeem(first)).toBe(sessions);
  expect(visitors.redeem(first)).toBeUndefined();
  now = 60_000;
  expect(visitors.redeem(second)).toBeUndefined();
});

test('a visit ends after 12 hours, and a ticket does not count as a visit', () => {
  let now = 0;
  const visitors = new Visitors(() => now);
  const secret = visitors.enter(sessions);
  expect(visitors.visitOf(visitors.issueTicket(sessions))).toBeUndefined();
  expect(visitors.visitOf('')).toBeUndefined();
  now = 12 * 3_600_000 - 1;
  expect(visitors.visitOf(secret)).toBe(sessions);
  now++;
  expect(visitors.visitOf(secret)).toBeUndefined();
});

test.each(['issueTicket', 'enter'] as const)(
  '%s number 101 of an account ends the oldest of that account alone',
  (give) => {
    const visitors = new Visitors(() => 0);
    const find = (secret = '') => (give === 'enter' ? visitors.visitOf(secret) : visitors.redeem(secret));
    const driver = { ...sessions, account: 'driver' };
    const own = visitors[give](driver);
    // An account may have several tokens, each with its own list of sessions.
    const given = Array.from({ length: 101 }, () => visitors[give]({ ...sessions, account: 'viewer' }));
    expect(find(given[0])).toBeUndefined();
    expect(find(given[1])).toMatchObject({ account: 'viewer' });
    expect(find(own)).toBe(driver);
  },
);

test('nothing is kept of visits that have ended', () => {
  let now = 0;
  const visitors = new Visitors(() => now);
  const first = visitors.enter(sessions);
  now = 12 * 3_600_000;
  const others = Array.from({ length: 100 }, () => visitors.enter(sessions));
  expect(visitors.visitOf(first)).toBeUndefined();
  expect(others.every((secret) => visitors.visitOf(secret) === sessions)).toBe(true);
});

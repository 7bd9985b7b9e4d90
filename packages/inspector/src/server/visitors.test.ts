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

test('a visit ends after 12 hours, and a ticket is no visit', () => {
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

test('the ticket number 101 voids the oldest', () => {
  const visitors = new Visitors(() => 0);
  const tickets = Array.from({ length: 101 }, () => visitors.issueTicket(sessions));
  expect(visitors.redeem(tickets[0] ?? '')).toBeUndefined();
  expect(visitors.redeem(tickets[1] ?? '')).toBe(sessions);
});

import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { Refusal } from '../http/refusal.ts';
import { type Answer, startIngress, TOKENS } from '../ingress.test-support.ts';
import { RateLimit, refuseUntil, REQUEST_BURST_MS } from './rate-limit.ts';

/** Makes a number of requests and returns how many the limit permits. */
function letThrough(limit: RateLimit, name: string, requests: number): number {
  let count = 0;
  for (let n = 0; n < requests; n++) if (limit.take(name) === 0) count++;
  return count;
}

const requestsAt = (perSecond: number, now: () => number) =>
  new RateLimit({ perSecond, burstMs: REQUEST_BURST_MS, now });

describe('a limit of 10 requests a second', () => {
  test('permits a burst of five seconds, and then as many as time passes', () => {
    let time = 1_000_000;
    const limit = requestsAt(10, () => time);
    expect(letThrough(limit, 'a', 100)).toBe(50);
    expect(letThrough(limit, 'b', 1)).toBe(1);
    time += 1000;
    expect(letThrough(limit, 'a', 100)).toBe(10);
    time += 60_000;
    expect(letThrough(limit, 'a', 100)).toBe(50);
  });
});

test('a rate below one in five seconds permits one request at a time', () => {
  let time = 1_000_000;
  const limit = requestsAt(0.1, () => time);
  expect(letThrough(limit, 'a', 3)).toBe(1);
  time += 9999;
  expect(letThrough(limit, 'a', 3)).toBe(0);
  time += 1;
  expect(letThrough(limit, 'a', 3)).toBe(1);
});

test('a clock that is set back does not delay requests until it has caught up', () => {
  let time = 1_000_000_000;
  const limit = requestsAt(10, () => time);
  expect(letThrough(limit, 'a', 100)).toBe(50);
  time -= 3_600_000;
  expect(letThrough(limit, 'a', 100)).toBe(50);
  expect(letThrough(limit, 'a', 1)).toBe(0);
});

test('the reported waiting time is the time until there is room again', () => {
  let time = 1_000_000;
  const limit = requestsAt(0.5, () => time);
  expect(letThrough(limit, 'a', 10)).toBe(2);
  let refusal: unknown;
  try {
    refuseUntil(limit.take('a'), 'requests');
  } catch (error) {
    refusal = error;
  }
  const seconds = Number((refusal as Refusal).response().headers.get('retry-after'));
  expect(seconds).toBe(1);
  time += seconds * 1000;
  expect(letThrough(limit, 'a', 10)).toBe(1);
});

test('many names with a full burst do not push out the state of a busy name', () => {
  let time = 1_000_000;
  const limit = requestsAt(10, () => time);
  const names = 30_000;
  letThrough(limit, 'busy', 50);
  for (let n = 0; n < names; n++) {
    if (n % 1000 === 0) time += 1;
    limit.take(`n${n}`);
  }
  // 30 ms of refill are not enough for a further request.
  expect(letThrough(limit, 'busy', 10)).toBe(0);
});

describe('a limit of 1000 bytes a second with a burst of one second', () => {
  const bytes = () => {
    const clock = { time: 1_000_000 };
    return { clock, limit: new RateLimit({ perSecond: 1000, burstMs: 1000, now: () => clock.time }) };
  };

  test('an amount larger than the burst is granted when nothing is owed, and delays the next', () => {
    const { clock, limit } = bytes();
    expect(limit.take('a', 5000)).toBe(0);
    expect(limit.take('a', 1)).toBe(4001);
    expect(limit.take('b', 1)).toBe(0);
    clock.time += 4001;
    expect(limit.take('a', 1)).toBe(0);
    expect(limit.take('a', 5000)).toBe(1000);
    clock.time += 1000;
    expect(limit.take('a', 5000)).toBe(0);
  });

  test('bytes that have already arrived are owed', () => {
    const { clock, limit } = bytes();
    expect([limit.owe('a', 600), limit.owe('a', 600), limit.owe('a', 600)]).toEqual([0, 200, 800]);
    expect(limit.take('a', 1)).toBe(801);
    clock.time += 801;
    expect(limit.take('a', 1)).toBe(0);
  });
});

describe('an ingress', () => {
  verifies(
    'SAFE-3',
    'answers the first request above the limit with 429 and the time to wait, and other accounts are not limited',
    async () => {
      const time = 1_000_000_000_000;
      const { call, newSession } = await startIngress({ now: () => time, limits: { maxRequestsPerSecond: 2 } });
      const session = await newSession();
      const worker = await session.claimLease();
      const read = (token: string) => call(session.base, { token, method: 'GET' });
      const answers: Answer[] = [];
      // Two of the ten requests were used for the session and its lease.
      for (let n = 0; n < 9; n++) answers.push(await read(TOKENS.driver));
      expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill(200), 429]);
      expect(answers[8]?.headers.get('retry-after')).toBe('1');
      expect(answers[8]?.body).toMatchObject({ error: { type: 'rate_limit_error' } });
      expect((await read(TOKENS.viewer)).status).toBe(200);
      expect((await worker.worker('/heartbeat', {})).status).toBe(200);
    },
  );
});

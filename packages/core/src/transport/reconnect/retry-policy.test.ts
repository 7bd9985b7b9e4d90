import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type AttemptFailure, RetryPolicy, type RetryPolicyOptions, type RetryVerdict } from './retry-policy.ts';

/** A clock that only the test moves: the policy sets no timers. */
class StillClock {
  at = 1_000_000;
  now(): number {
    return this.at;
  }
  setTimeout(): never {
    throw new Error('a retry policy sets no timers');
  }
  clearTimeout(): void {}
}

function setUp(options: Partial<RetryPolicyOptions> = {}) {
  const clock = new StillClock();
  const policy = new RetryPolicy({ clock, jitter: 0, ...options });
  const link = (ms: number, isProved = false) => {
    policy.onUp();
    if (isProved) policy.onProgress();
    clock.at += ms;
  };
  /** Returns the delay after a failure, and moves the clock by that delay. */
  const fail = (failure: AttemptFailure = { action: 'retry' }): number | string => {
    const verdict = policy.onFailure(failure);
    if (verdict.kind !== 'again') return verdict.kind;
    clock.at += verdict.delayMs;
    return verdict.delayMs;
  };
  return { clock, policy, link, fail };
}

const times = <T>(count: number, act: () => T): T[] => Array.from({ length: count }, act);
const answered = { action: 'retry', isAnswer: true } as const;

describe('the delay of a retry', () => {
  test('is 0 after a broken connection, then doubles from the base up to the cap', () => {
    const { fail } = setUp({ connectDeadlineMs: 600_000 });
    expect(times(8, () => fail())).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  test('is never 0 after an answer of the server', () => {
    const { fail } = setUp();
    expect([fail(answered), fail(), fail(answered)]).toEqual([1000, 2000, 4000]);
    const other = setUp();
    expect([other.fail(), other.fail(answered)]).toEqual([0, 1000]);
  });

  test('may be longer, or have a minimum, if the server asks for it', () => {
    const { fail } = setUp();
    expect(fail({ action: 'retry', retryAfterMs: 7000 })).toBe(7000);
    expect([fail({ action: 'retry', leastMs: 500 }), fail({ action: 'retry', leastMs: 5000 })]).toEqual([1000, 5000]);
  });

  test('varies by the jitter', () => {
    const { fail } = setUp({ jitter: 0.25, random: () => 1 });
    expect([fail(), fail()]).toEqual([0, 1250]);
  });
});

describe('a link', () => {
  test('that lasted ten seconds resets delays and budget', () => {
    const { fail, link, clock, policy } = setUp({ reconnectDeadlineMs: 60_000 });
    link(0);
    times(5, () => fail());
    link(9999);
    expect(fail()).toBe(16_000);
    link(10_000);
    expect([fail(), fail()]).toEqual([0, 1000]);
    clock.at += 58_999;
    expect(policy.isSpent).toBe(false);
    clock.at += 1;
    expect(policy.isSpent).toBe(true);
  });

  test('that carried messages resets the delays, however short it was', () => {
    const { fail, link } = setUp({ reconnectDeadlineMs: 60_000 });
    for (let round = 0; round < 100; round++) {
      link(3000, true);
      expect(fail()).toBe(0);
    }
  });

  test('that carried messages for less than the base delay is retried once per base delay at most', () => {
    const { fail, link } = setUp({ reconnectDeadlineMs: 60_000 });
    const delays = times(5, () => {
      link(10, true);
      return fail();
    });
    expect(delays).toEqual([0, 1000, 1000, 1000, 1000]);
  });

  test('that a server accepts and closes at once counts as a failed attempt', () => {
    const { fail, link } = setUp();
    const delays = times(5, () => {
      link(10);
      return fail();
    });
    expect(delays).toEqual([0, 1000, 2000, 4000, 8000]);
  });

  test('that carried messages does not vouch for the next link', () => {
    const { fail, link } = setUp();
    link(5000, true);
    fail();
    link(5000);
    expect(fail()).toBe(1000);
  });

  test('resets the count of attempts to 1', () => {
    const { fail, link, policy } = setUp();
    fail();
    expect([policy.attempt, policy.reason, policy.everUp]).toEqual([2, 'first', false]);
    link(0);
    expect([policy.attempt, policy.reason, policy.everUp]).toEqual([1, 'lost', true]);
    fail();
    expect(policy.attempt).toBe(1);
    fail();
    expect(policy.attempt).toBe(2);
  });
});

describe('the budget', () => {
  const left = (spentMs: number, failure: AttemptFailure, budgetMs = 30_000) => {
    const { clock, policy } = setUp({ connectDeadlineMs: budgetMs, baseMs: 5000 });
    policy.onFailure({ action: 'retry' });
    clock.at += spentMs;
    const verdict = policy.onFailure({ action: 'retry', ...failure });
    return verdict.kind === 'again' ? verdict.delayMs : verdict.kind;
  };

  test.each([
    ['within the budget is not cut', 0, {}, 5000],
    ['that would end after the budget ends a second before the budget does', 26_000, {}, 3000],
    ['is cut to 1 ms just before the moment of the last attempt', 28_999, {}, 1],
    ['does not exist after the moment of the last attempt', 29_000, {}, 'give-up'],
    ['with a minimum is cut to the time that is left', 23_000, { leastMs: 16_000 }, 6000],
    ['is what the server asks for, half a second before the limit', 10_000, { retryAfterMs: 19_500 }, 19_500],
    ['does not exist if the server asks for the rest of the budget', 10_000, { retryAfterMs: 20_000 }, 'give-up'],
    ['does not exist after the budget', 30_001, {}, 'give-up'],
    ['is at least what the server asks for', 0, { retryAfterMs: 7000 }, 7000],
    ['is what the server asks for, if that leaves any time', 0, { retryAfterMs: 29_999 }, 29_999],
    ['does not exist if the server asks for the whole budget', 0, { retryAfterMs: 30_000 }, 'give-up'],
  ])('a delay %s', (_, spentMs, failure, expected) => {
    expect(left(spentMs, failure)).toBe(expected);
  });

  test('of a very short time reserves its last tenth for the last attempt', () => {
    expect([left(0, {}, 100), left(90, {}, 100)]).toEqual([90, 'give-up']);
  });

  test('limits the time of an attempt, with a minimum of a second, and does not limit it when it is spent', () => {
    const attempt = (spentMs: number, timeoutMs?: number) => {
      const { clock, policy } = setUp();
      clock.at += spentMs;
      return policy.attemptMs(timeoutMs);
    };
    const spent = [0, 20_000, 28_000, 29_500, 29_999];
    expect(spent.map((ms) => attempt(ms))).toEqual([15_000, 10_000, 2000, 1000, 1000]);
    expect([30_000, 40_000].map((ms) => attempt(ms))).toEqual([15_000, 15_000]);
    expect([attempt(29_999, 500), attempt(0, 20_000)]).toEqual([500, 20_000]);
  });

  test('of 0 allows one attempt', () => {
    const { policy, fail } = setUp({ connectDeadlineMs: 0 });
    expect([policy.attemptMs(), fail()]).toEqual([15_000, 'give-up']);
    expect(setUp({ connectDeadlineMs: 50 }).policy.attemptMs()).toBe(1000);
  });

  test('counts from a given time, and never ends without a limit', () => {
    const { fail } = setUp({ since: 1_000_000 - 28_000 });
    expect([fail(), fail(), fail()]).toEqual([0, 1000, 'give-up']);
    const endless = setUp({ everUp: true, reconnectDeadlineMs: Infinity });
    expect(times(2000, () => endless.fail()).at(-1)).toBe(30_000);
  });

  test('excludes the time while the machine sleeps, and afterwards the delays start again at 0', () => {
    const { fail, link, clock, policy } = setUp({ reconnectDeadlineMs: 60_000 });
    link(20_000);
    times(5, () => fail());
    const dueAt = clock.at;
    clock.at += 30_000;
    expect(policy.onTimer(dueAt)).toBe(false);
    clock.at += 8 * 3_600_000;
    expect(policy.onTimer(dueAt)).toBe(true);
    expect([fail(), fail()]).toEqual([1000, 2000]);
  });
});

describe('a credential', () => {
  const refresh = { action: 'refresh', isAnswer: true } as const;

  test('that is refused is renewed at once; a second refusal before any link is permanent', () => {
    const { fail, policy } = setUp({ canRenew: true });
    expect(policy.onFailure(refresh)).toEqual({ kind: 'again', delayMs: 0, renews: true } satisfies RetryVerdict);
    expect(policy.reason).toBe('refused');
    expect(fail(refresh)).toBe('permanent');
  });

  test('that cannot be renewed is refused for good', () => {
    expect(setUp().fail(refresh)).toBe('permanent');
  });

  test('that is refused again after a link is retried later, unless the policy makes it permanent', () => {
    const { fail, policy } = setUp({ canRenew: true, everUp: true });
    expect([fail(refresh), fail(refresh), fail(refresh)]).toEqual([0, 1000, 2000]);
    expect(policy.reason).toBe('refused');
    const other = setUp({ canRenew: true, everUp: true });
    expect([other.fail(refresh), other.fail({ ...refresh, otherwise: 'permanent' })]).toEqual([0, 'permanent']);
  });

  test('that a stable link has proved may be renewed again later', () => {
    const { fail, link, policy } = setUp({ canRenew: true });
    fail(refresh);
    link(20, true);
    expect([fail({ ...refresh, otherwise: 'permanent' }), policy.reason]).toEqual([0, 'refused']);
  });
});

describe('the very first attempt', () => {
  const nobody = { action: 'retry', isRefusal: true } as const;

  test('that reaches no server is final, unless retryFirstConnect is `retry`', () => {
    expect(setUp().fail(nobody)).toBe('unreachable');
    expect(setUp({ retryFirstConnect: true }).fail(nobody)).toBe(0);
  });

  test('is only one: a later attempt may reach no server, even after a link', () => {
    const { fail, link } = setUp();
    expect([fail(), fail(nobody)]).toEqual([0, 1000]);
    const other = setUp();
    other.link(0);
    expect(other.fail(nobody)).toBe(0);
    link(0);
    expect(fail(nobody)).not.toBe('unreachable');
  });

  test('ends at once after a permanent failure', () => {
    expect(setUp().fail({ action: 'permanent' })).toBe('permanent');
  });
});

/** The events of a client: failed attempts, links of some length, and sleeps of the machine. */
const events = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('failure' as const),
      tookMs: fc.nat({ max: 20_000 }),
      isAnswer: fc.boolean(),
      retryAfterMs: fc.oneof(fc.constant(0), fc.nat({ max: 60_000 })),
    }),
    fc.record({ kind: fc.constant('link' as const), ms: fc.nat({ max: 15_000 }), isProved: fc.boolean() }),
    fc.record({ kind: fc.constant('sleep' as const), ms: fc.integer({ min: 31_000, max: 10_000_000 }) }),
  ),
  { maxLength: 60 },
);
const limits = fc.record({
  reconnectDeadlineMs: fc.integer({ min: 1000, max: 200_000 }),
  connectDeadlineMs: fc.integer({ min: 1000, max: 60_000 }),
  jitter: fc.constantFrom(0, 0.25),
});

test('property: no attempt is made after the budget, and the policy never gives up before it, for any schedule', () => {
  fc.assert(
    fc.property(events, limits, (schedule, given) => {
      const { clock, policy } = setUp({ ...given, random: () => 0.5 });
      // A model of the policy: the time since which the budget counts, and the number of failures in a row.
      let [since, failures, everUp] = [clock.at, 0, false];
      for (const event of schedule) {
        if (event.kind === 'sleep') {
          const dueAt = clock.at;
          clock.at += event.ms;
          expect(policy.onTimer(dueAt)).toBe(true);
          [since, failures] = [clock.at, 1];
          continue;
        }
        let failure: AttemptFailure = { action: 'retry' };
        if (event.kind === 'link') {
          policy.onUp();
          if (event.isProved) policy.onProgress();
          clock.at += event.ms;
          everUp = true;
          if (event.isProved || event.ms >= 10_000) {
            since = clock.at;
            failures = event.ms < 1000 ? Math.min(failures, 1) : 0;
          }
        } else {
          clock.at += Math.min(event.tookMs, policy.attemptMs());
          failure = { action: 'retry', isAnswer: event.isAnswer, retryAfterMs: event.retryAfterMs };
        }
        const { isAnswer = false, retryAfterMs = 0 } = failure;
        failures = Math.max(failures + 1, isAnswer ? 2 : 1);
        const budgetMs = everUp ? given.reconnectDeadlineMs : given.connectDeadlineMs;
        const leftMs = budgetMs - (clock.at - since);
        const verdict = policy.onFailure(failure);
        if (verdict.kind !== 'again') {
          expect(leftMs <= Math.max(Math.min(1000, budgetMs / 10), retryAfterMs)).toBe(true);
          return;
        }
        const backoff = failures === 1 ? 0 : Math.min(30_000, 1000 * 2 ** (failures - 2));
        expect(verdict.delayMs).toBeGreaterThanOrEqual(retryAfterMs);
        expect(verdict.delayMs).toBeLessThan(leftMs);
        if (retryAfterMs <= backoff && backoff <= leftMs - 1000) expect(verdict.delayMs).toBe(backoff);
        clock.at += verdict.delayMs;
        expect(policy.onTimer(clock.at)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

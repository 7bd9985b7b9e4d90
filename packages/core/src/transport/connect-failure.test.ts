import { describe, expect, test } from 'vitest';
import { attemptWithin, retryWithin } from './backoff.ts';
import { connectFailureOf } from './connect-failure.ts';

const coded = (code: string, message = 'as the platform says it') => Object.assign(new Error(message), { code });

test.each([
  [coded('ECONNREFUSED'), 'the connection was refused, nothing listens there (ECONNREFUSED)', true],
  [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'there is no host of this name (ENOTFOUND)', true],
  [coded('CERT_HAS_EXPIRED'), 'the certificate of the server is not trusted (CERT_HAS_EXPIRED)', true],
  [
    coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'the certificate of the server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    true,
  ],
  [coded('HPE_INVALID_CONSTANT'), 'the server does not speak HTTP (HPE_INVALID_CONSTANT)', true],
  [
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    'the platform allows no connection to this port',
    true,
  ],
  [Object.assign(new Error('no'), { name: 'HTTPParserError' }), 'the server does not speak HTTP', true],
  [coded('ECONNRESET', 'socket hang up'), 'the connection broke (ECONNRESET)', false],
  [coded('EMFILE', 'too many open files'), 'the connection failed (EMFILE)', false],
])('%s', (error, text, isRefusal) => {
  expect(connectFailureOf(error)).toEqual({ text, isRefusal });
});

test('what says nothing is no reason', () => {
  expect([connectFailureOf(undefined), connectFailureOf(new Error('locked')), connectFailureOf('text')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe('a budget for attempts', () => {
  test('leaves time for the last attempt, and has an end', () => {
    const budgetMs = 30_000;
    expect(retryWithin({ budgetMs, spentMs: 0, delayMs: 8000 })).toBe(8000);
    expect(retryWithin({ budgetMs, spentMs: 15_000, delayMs: 16_000 })).toBe(14_000);
    expect(retryWithin({ budgetMs, spentMs: 29_000, delayMs: 0 })).toBe(undefined);
    expect(retryWithin({ budgetMs: 0, spentMs: 0, delayMs: 0 })).toBe(undefined);
  });

  test('is over where the server asks for more time than is left', () => {
    const budget = { budgetMs: 30_000, spentMs: 10_000, delayMs: 1000 };
    expect(retryWithin({ ...budget, retryAfterMs: 19_500 })).toBe(19_500);
    expect(retryWithin({ ...budget, retryAfterMs: 20_000 })).toBe(undefined);
  });

  test('bounds each attempt but the only one', () => {
    expect(attemptWithin(15_000, { budgetMs: 30_000, spentMs: 20_000 })).toBe(10_000);
    expect(attemptWithin(15_000, { budgetMs: 0, spentMs: 0 })).toBe(15_000);
    expect(attemptWithin(15_000, { budgetMs: 50, spentMs: 0 })).toBe(1000);
  });
});

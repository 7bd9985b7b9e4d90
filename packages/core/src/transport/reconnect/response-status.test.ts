import { expect, test } from 'vitest';

import { meaningOfStatus, retryAfterMs } from './response-status.ts';

test.each([
  ['refresh', [401]],
  ['retry', [408, 425, 429, 500, 502, 503, 504, 599]],
  ['permanent', [0, 204, 301, 308, 400, 403, 404, 409, 410, 422, 499]],
] as const)('a client that wants a link reacts to a status with %s', (action, statuses) => {
  expect(statuses.map((status) => meaningOfStatus(status).action)).toEqual(statuses.map(() => action));
});

test('every status has a hint in plain words', () => {
  for (let status = 0; status < 600; status++) expect(meaningOfStatus(status).hint).toMatch(/^[a-z ]+$/);
});

test('retryAfterMs reads seconds or a date, at most five minutes, and returns 0 for any other value', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const dateIn = (ms: number) => new Date(now + ms).toUTCString();
  const values = ['20', '0.5', dateIn(60_000), dateIn(-60_000), '100000', dateIn(86_400_000)];
  expect(values.map((value) => retryAfterMs(value, now))).toEqual([20_000, 500, 60_000, 0, 300_000, 300_000]);
  for (const value of ['soon', '', ' ', '-5', '0', null, undefined]) expect(retryAfterMs(value, now)).toBe(0);
});

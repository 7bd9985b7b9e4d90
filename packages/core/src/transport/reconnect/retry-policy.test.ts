import { expect, test } from 'vitest';

import { meaningOfStatus } from './retry-policy.ts';

test.each([
  ['refresh', [401]],
  ['retry', [408, 425, 429, 500, 502, 503, 504, 599]],
  ['permanent', [0, 204, 301, 308, 400, 403, 404, 409, 410, 422, 499]],
] as const)('a client that wanted a link does this: %s', (action, statuses) => {
  expect(statuses.map((status) => meaningOfStatus(status).action)).toEqual(statuses.map(() => action));
});

test('every status says to a person what it means', () => {
  for (let status = 0; status < 600; status++) expect(meaningOfStatus(status).hint).toMatch(/^[a-z ]+$/);
});

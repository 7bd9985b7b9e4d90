import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { meaningOf, meaningOfClose } from './close-codes.ts';

const meaningOfStatus = (status: number) => meaningOf({ status, code: 1006 });

const closes = {
  end: [1000],
  retry: [1001, 1002, 1005, 1006, 1008, 1011, 1012, 1013, 1014, 1015, 4000, 4999],
  refresh: [4003, 4094],
  permanent: [1003, 1007, 1009, 1010, 4001, 4090, 4091],
};
const statuses = {
  retry: [408, 425, 429, 500, 502, 503, 504, 520, 599],
  refresh: [401],
  permanent: [200, 301, 400, 403, 404, 405, 409, 410, 426],
};

const rowsOf = (table: Record<string, number[]>) =>
  Object.entries(table).flatMap(([action, codes]) => codes.map((code): [number, string] => [code, action]));

test.each(rowsOf(closes))('close code %i: %s', (code, action) => {
  expect(meaningOfClose(code).action).toBe(action);
});

test.each(rowsOf(statuses))('status %i: %s', (status, action) => {
  expect(meaningOfStatus(status).action).toBe(action);
});

verifies(
  'WSK-35',
  'every close code and every status that the tables do not name is retried, or for a status below 500 permanent',
  () => {
    const named = new Set([...Object.values(closes), ...Object.values(statuses)].flat());
    for (let code = 1000; code < 5000; code++)
      if (!named.has(code)) expect([code, meaningOfClose(code).action]).toEqual([code, 'retry']);
    for (let status = 100; status < 600; status++) {
      if (!named.has(status))
        expect([status, meaningOfStatus(status).action]).toEqual([status, status < 500 ? 'permanent' : 'retry']);
    }
  },
);

verifies('LINK-4', 'codes and statuses that proxies and restarts cause are never permanent', () => {
  for (const code of [1002, 1006, 1011, 1012, 1013]) expect(meaningOfClose(code).action).toBe('retry');
  for (const status of [408, 425, 429, ...Array.from({ length: 100 }, (_, n) => 500 + n)]) {
    expect(meaningOfStatus(status).action).toBe('retry');
  }
});

test('every close code has a hint in words', () => {
  for (let code = 1000; code < 5000; code++) expect(meaningOfClose(code).hint).not.toBe('');
});

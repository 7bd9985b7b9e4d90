import { readFileSync } from 'node:fs';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { meaningOfPost, meaningOfReport, meaningOfStream } from './response-status.ts';

const classOfStream = (status: number) => meaningOfStream(status).action;
const classOfPost = (status: number) => meaningOfPost(status).action;
const classOfReport = (status: number) => meaningOfReport(status).action;

const table: readonly (readonly [status: number, stream: string, post: string])[] = [
  [0, 'permanent', 'permanent'],
  [200, 'done', 'done'],
  [201, 'permanent', 'done'],
  [204, 'retry', 'done'],
  [301, 'permanent', 'permanent'],
  [307, 'permanent', 'permanent'],
  [400, 'permanent', 'refused'],
  [401, 'refresh', 'refresh'],
  [403, 'permanent', 'refused'],
  [404, 'permanent', 'permanent'],
  [405, 'permanent', 'refused'],
  [408, 'retry', 'retry'],
  [409, 'permanent', 'refused'],
  [410, 'end', 'refused'],
  [413, 'permanent', 'refused'],
  [422, 'permanent', 'refused'],
  [425, 'retry', 'retry'],
  [429, 'retry', 'retry'],
  [500, 'retry', 'retry'],
  [502, 'retry', 'retry'],
  [503, 'retry', 'retry'],
  [504, 'retry', 'retry'],
  [529, 'retry', 'retry'],
];

test.each(table)('%d is %s for a stream, %s for a message', (status, stream, post) => {
  expect([classOfStream(status), classOfPost(status)]).toEqual([stream, post]);
});

test.each(table)('%d means the same to a worker, unless it may pass or name another worker', (status) => {
  const apart: Record<number, string> = { 403: 'retry', 404: 'retry', 409: 'permanent' };
  expect(classOfReport(status)).toBe(apart[status] ?? classOfPost(status));
});

verifies('LINK-4', 'the status table of docs/transports.md matches the code', () => {
  const docs = readFileSync(new URL('../../../docs/transports.md', import.meta.url), 'utf8');
  const rows = Array.from(
    docs.matchAll(/^\| ([\d, ]+) \| `(\w+)` \| `(\w+)` \|/gm),
    ([, statuses = '', stream, post]) => statuses.split(',').map((status) => [Number(status), stream, post] as const),
  ).flat();
  expect(rows.map(([status]) => [status, classOfStream(status), classOfPost(status)])).toEqual(rows);
  expect(rows.length).toBeGreaterThan(15);
  for (const status of [408, 425, 429, 500, 502, 503, 504, 529]) expect(classOfStream(status)).toBe('retry');
});

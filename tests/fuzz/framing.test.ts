/** A request that programs may read differently reaches a node only in the form that was checked. `pnpm fuzz framing` runs many more exchanges. */
import { expect, test } from 'vitest';
import { parseRequests } from './framing/parse-requests.ts';
import { runFraming } from './framing/run-framing.ts';

const LIMIT_MS = 120_000;

test('no node sends on what it was not asked, whatever a client writes', { timeout: LIMIT_MS }, async () => {
  const { exchanges, findings } = await runFraming({ seed: 2, exchanges: 400 });
  expect(findings).toEqual([]);
  expect(exchanges).toBe(400);
});

const HEAD = 'POST /a HTTP/1.1\r\n';
test.each([
  ['a length twice', `${HEAD}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`],
  ['a length and chunks', `${HEAD}Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ['a length in another spelling', `${HEAD}Content-Length: 00\r\n\r\n`],
  ['a coding in another spelling', `${HEAD}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`],
  ['a chunk with an extension', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0;x=y\r\n\r\n`],
  ['a trailer', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n\r\n`],
  ['a line end without a carriage return', `POST /a HTTP/1.1\r\nX: 1\nY: 2\r\n\r\n`],
  ['bytes after a request that are none', `GET /a HTTP/1.1\r\n\r\n{}\r\n\r\n`],
])('the listener finds %s', (_, bytes) => {
  expect(parseRequests(bytes).fault).toBeDefined();
});

test('the listener reads requests of both framings, also those that are not complete', () => {
  const whole = `${HEAD}Content-Length: 2\r\n\r\n{}${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`;
  const { requests, fault } = parseRequests(whole);
  expect([requests.map(({ body }) => body), fault]).toEqual([['{}', '[]'], undefined]);
  for (let end = 0; end < whole.length; end++) expect(parseRequests(whole.slice(0, end)).fault).toBeUndefined();
});

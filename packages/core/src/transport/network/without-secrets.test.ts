import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

const shown = (error: unknown) => inspect(error, { depth: Infinity, showHidden: true });
const url = 'https://us%40r:p%40ss-word@host/v1?ticket=s3cret%2Fticket&q=%zz-secret#s3cret-hash';
const headers = { Authorization: 'Bearer s3cret-token', 'X-Key': 's3cret-key' };
const SECRETS = ['us@r', 'us%40r', 'p@ss-word', 'p%40ss-word', 's3cret/ticket', 's3cret%2Fticket', '%zz-secret'].concat(
  ['s3cret-hash', 's3cret-token', 's3cret-key', 's3cret-protocol'],
);

test.each(SECRETS)('withoutSecrets hides %s in every part of an error', (secret) => {
  class Library extends Error {
    readonly input = secret;
    readonly socket = { headers: [secret] };
  }
  const inner = Object.assign(new TypeError(`cannot send "${secret}"`), { input: secret, code: 'ERR_INVALID_URL' });
  const error = new Library(`the request to ${url} with ${secret} failed`, { cause: inner });
  const copy = withoutSecrets(error, { url, headers, others: ['s3cret-protocol', undefined] });
  expect(shown(copy)).not.toContain(secret);
  expect(copy).toMatchObject({ cause: { name: 'TypeError', code: 'ERR_INVALID_URL' } });
});

test('withoutSecrets hides a malformed URL as a whole, and every other address', () => {
  const copy = withoutSecrets(new Error('Invalid URL: https://u:s3cret@ho st/?t=s3cret and http://x/s3cret'), {
    url: 'https://u:s3cret@ho st/?t=s3cret',
  });
  expect(copy.message).toBe('Invalid URL: … and …');
});

test('withoutSecrets keeps messages and codes of errors, through a chain of causes that may be circular', () => {
  const error: Error & { code?: string } = new TypeError('fetch failed');
  error.cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED', cause: error });
  const copy = withoutSecrets(error);
  expect(copy).toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
  expect((copy.cause as Error).message).toBe('connect ECONNREFUSED 127.0.0.1:9');
});

test.each([
  [undefined],
  [null],
  ['text'],
  [
    {
      toString: () => {
        throw new Error('no');
      },
    },
  ],
])('withoutSecrets turns a thrown value into an error: %#', (thrown) => {
  expect(withoutSecrets(thrown)).toBeInstanceOf(Error);
});

test('withoutSecrets is fast for a long text with many beginnings of an address', () => {
  const started = performance.now();
  withoutSecrets(new Error('a.'.repeat(2_000_000)));
  expect(performance.now() - started).toBeLessThan(1000);
});

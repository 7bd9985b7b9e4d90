import { expect, test } from 'vitest';
import { connectFailureOf } from './connect-failure.ts';

const coded = (code: string, message = 'as the platform says it') => Object.assign(new Error(message), { code });

test.each([
  [coded('ECONNREFUSED'), 'the connection was refused: nothing listens on this port (ECONNREFUSED)', true],
  [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'the host name does not exist (ENOTFOUND)', true],
  [coded('CERT_HAS_EXPIRED'), 'the certificate of the server is not trusted (CERT_HAS_EXPIRED)', true],
  [
    coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'the certificate of the server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    true,
  ],
  [coded('HPE_INVALID_CONSTANT'), 'the server does not speak HTTP (HPE_INVALID_CONSTANT)', true],
  [
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    'the platform does not allow connections to this port',
    true,
  ],
  [
    new TypeError('fetch failed', { cause: new Error('bad port: 1') }),
    'the platform does not allow connections to this port',
    true,
  ],
  [Object.assign(new Error('no'), { name: 'HTTPParserError' }), 'the server does not speak HTTP', true],
  [coded('ECONNRESET', 'socket hang up'), 'the connection broke (ECONNRESET)', false],
  [coded('EMFILE', 'too many open files'), 'the connection failed (EMFILE)', false],
])('connectFailureOf explains %s', (error, text, isRefusal) => {
  expect(connectFailureOf(error)).toEqual({ text, isRefusal });
});

test('connectFailureOf knows the sentence of this platform about a port that it refuses', async () => {
  const error: unknown = await fetch('http://127.0.0.1:1/').catch((refused: unknown) => refused);
  expect(connectFailureOf(error)).toEqual({
    text: 'the platform does not allow connections to this port',
    isRefusal: true,
  });
});

test('connectFailureOf returns undefined for an unknown error', () => {
  expect([connectFailureOf(undefined), connectFailureOf(new Error('locked')), connectFailureOf('text')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

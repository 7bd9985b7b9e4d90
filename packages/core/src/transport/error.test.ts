import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';

import { TransportError, toTransportError, type TransportErrorCode } from './error.ts';

test.each<[TransportErrorCode, boolean]>([
  ['aborted', false],
  ['closed', false],
  ['connect-failed', true],
  ['rejected', false],
  ['lost', true],
  ['timeout', true],
  ['overflow', false],
  ['too-large', false],
  ['malformed', false],
])('%s: the default of retryable is %s', (code, retryable) => {
  expect(new TransportError(code, 'text')).toMatchObject({ name: 'TransportError', code, retryable, message: 'text' });
  expect(new TransportError(code, 'text', { retryable: !retryable }).retryable).toBe(!retryable);
});

test('an error keeps its status and cause, and has no cause member without a cause', () => {
  const cause = { any: 'thing' };
  expect(new TransportError('rejected', 'text', { status: 401, cause })).toMatchObject({ status: 401, cause });
  const bare = new TransportError('rejected', 'text');
  expect([bare.status, 'cause' in bare]).toEqual([undefined, false]);
});

describe('TransportError.is', () => {
  test('accepts an error of another copy of the package', async () => {
    const url = './error.ts?copy';
    const { TransportError: Copy } = (await import(/* @vite-ignore */ url)) as typeof import('./error.ts');
    expect(Copy).not.toBe(TransportError);
    const theirs = new Copy('lost', 'text');
    expect(theirs instanceof TransportError).toBe(false);
    expect([TransportError.is(theirs), Copy.is(new TransportError('lost', 'text'))]).toEqual([true, true]);
    expect(toTransportError(theirs)).toBe(theirs);
  });

  test('accepts an error of another realm, whose Error class differs', () => {
    const theirs = runInNewContext('Object.defineProperty(new Error("text"), brand, { value: true })', {
      brand: Symbol.for('@proto/core.TransportError'),
    });
    expect([theirs instanceof Error, TransportError.is(theirs)]).toEqual([false, true]);
  });

  test.each([undefined, null, 'lost', new Error('lost'), { code: 'lost', name: 'TransportError' }])(
    'refuses %s',
    (value) => {
      expect(TransportError.is(value)).toBe(false);
    },
  );
});

describe('toTransportError', () => {
  test('returns a TransportError unchanged', () => {
    const error = new TransportError('timeout', 'text');
    expect(toTransportError(error, 'rejected')).toBe(error);
  });

  test('wraps an error with its message', () => {
    const cause = new RangeError('too far');
    expect(toTransportError(cause)).toMatchObject({ code: 'lost', message: 'too far', cause, retryable: true });
    expect(toTransportError(cause, 'rejected')).toMatchObject({ code: 'rejected', message: 'too far', cause });
  });

  test.each(['text', 7, null, undefined, { token: 'secret' }])('wraps %s without showing it', (value) => {
    expect(toTransportError(value)).toMatchObject({ code: 'lost', message: 'lost', cause: value });
  });
});

describe('TransportError.find', () => {
  const lost = new TransportError('lost', 'text');

  test('returns the error itself, or the first of its causes that is one', () => {
    const cause = new TypeError('far', { cause: new Error('nearer', { cause: lost }) });
    expect([TransportError.find(lost), TransportError.find(cause)]).toEqual([lost, lost]);
    expect(TransportError.find(new TransportError('timeout', 'outer', { cause: lost }))).toMatchObject({
      code: 'timeout',
    });
  });

  test('finds nothing elsewhere, and ends in a chain of causes that never ends', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    for (const value of [undefined, 'lost', { cause: lost }, circle])
      expect(TransportError.find(value)).toBeUndefined();
  });
});

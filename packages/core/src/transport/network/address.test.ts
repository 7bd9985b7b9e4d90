import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { parseAddress, refuseCredentials } from './address.ts';
import { connectSession } from '../connect/connect.ts';

const shown = (error: unknown) => inspect(error, { depth: Infinity, showHidden: true });

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const CREDENTIALS = [
  'https://user:s3cret-word@host/v1/code/sessions/ID',
  'https://s3cret-word@host/',
  'wss://:s3cret-word@host/',
];
const OTHER_SCHEMES = ['ftp://host/s3cret-word', 'file:///s3cret-word', 'ws://host/s3cret-word', 's3cret-word:x'];
const NO_URL = [
  'https://user:s3cret-word@ho st/?ticket=s3cret-word',
  's3cret-word',
  'https://host:port/?t=s3cret-word',
];

test.each([...CREDENTIALS, ...NO_URL])('an address is refused without being quoted: %s', (address) => {
  const opening = () => connectSession({ url: address, prefer: ['x'], schemes: [], options: {} });
  for (const act of [() => parseAddress(address), opening]) {
    const error = thrownBy(act);
    expect(error).toMatchObject({ name: 'TransportError', code: 'connect-failed', retryable: false });
    expect(shown(error)).not.toContain('s3cret-word');
  }
});

test.each(OTHER_SCHEMES)('an address of another scheme is refused without being quoted: %s', (address) => {
  const opening = () => connectSession({ url: address, prefer: ['x'], schemes: [], options: {} });
  for (const act of [() => parseAddress(address, ['https:', 'http:']), opening]) {
    const error = thrownBy(act);
    expect(error).toMatchObject({
      code: 'connect-failed',
      retryable: false,
      message: 'the address must begin with https:// or http://',
    });
    expect(shown(error)).not.toContain('s3cret-word');
  }
  expect(parseAddress('ws://host', ['ws:']).host).toBe('host');
});

test.each([...CREDENTIALS, '//user:s3cret-word@host/path'])('refuseCredentials throws for %s', (address) => {
  expect(thrownBy(() => refuseCredentials(address))).toMatchObject({ code: 'connect-failed' });
});

test.each(['https://host/a@b?c=d@e', '/path/a@b', 'wss://host', '?ticket=a//b@c'])(
  'refuseCredentials accepts %s',
  (address) => {
    expect(() => refuseCredentials(address)).not.toThrow();
  },
);

import { expect, test } from 'vitest';
import { isLoopback, parseSessionAddress, sessionUrl } from './session-address.ts';

test.each([
  ['http://127.0.0.1:4983', 'http://127.0.0.1:4983', undefined],
  ['http://127.0.0.1:4983/', 'http://127.0.0.1:4983', undefined],
  ['https://host/path/of/proxy', 'https://host/path/of/proxy', undefined],
  ['http://host/v1/code/sessions', 'http://host', undefined],
  ['sse+http://host/v1/code/sessions/cse_1', 'http://host', 'cse_1'],
  ['https://host/base/v1/code/sessions/cse_1/', 'https://host/base', 'cse_1'],
  ['wss://host/base', 'https://host/base', undefined],
  ['ws://host/v1/code/sessions/cse_1', 'http://host', 'cse_1'],
  ['ws://host/base/v1/sessions/ws/cse_1/subscribe', 'http://host/base', 'cse_1'],
])('%s', (text, base, session) => {
  const prefer = text.startsWith('ws') ? 'ws' : 'sse';
  expect(parseSessionAddress(text)).toMatchObject({ base, prefer, ...(session !== undefined && { session }) });
  if (session !== undefined) expect(parseSessionAddress(sessionUrl(base, session))).toMatchObject({ base, session });
});

test.each(['cse_1', 'ftp://host', 'file:///etc', '', 'http://'])('%s is not an address', (text) => {
  expect(() => parseSessionAddress(text)).toThrow('the address must start with');
});

test('the error for an address with a secret does not hold the secret', () => {
  expect(() => parseSessionAddress('http://user:secret@host')).toThrow(/^(?!.*secret@)/);
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['10.0.0.1', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
])('%s reaches this machine alone: %s', (hostname, expected) => {
  expect(isLoopback(hostname)).toBe(expected);
});

test('the address of a session whose id is an object is refused', () => {
  expect(() => sessionUrl('https://host', { id: 'cse_1' } as never)).toThrow("not an object: call sessionUrl('");
});

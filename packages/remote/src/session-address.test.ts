import { expect, test } from 'vitest';
import { parseSessionAddress, sessionUrl } from './session-address.ts';

test.each([
  ['http://127.0.0.1:4983', 'http://127.0.0.1:4983', undefined],
  ['http://127.0.0.1:4983/', 'http://127.0.0.1:4983', undefined],
  ['https://host/behind/a/proxy', 'https://host/behind/a/proxy', undefined],
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

test.each(['cse_1', 'ftp://host', 'file:///etc', '', 'http://'])('%s is no address', (text) => {
  expect(() => parseSessionAddress(text)).toThrow('the address is one of');
});

test('what is wrong with a secret is told without it', () => {
  expect(() => parseSessionAddress('http://user:secret@host')).toThrow(/^(?!.*secret@)/);
});

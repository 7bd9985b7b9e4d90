import { expect, test } from 'vitest';
import { parseShimAddress } from './remote-agent.ts';

test.each([
  ['https://box.example/v1', { kind: 'sessions', base: 'https://box.example', prefer: 'sse' }],
  ['wss://box.example/v1/', { kind: 'sessions', base: 'https://box.example', prefer: 'ws' }],
  ['http://127.0.0.1:4983', { kind: 'sessions', base: 'http://127.0.0.1:4983' }],
  ['ws://box.example/base/v1', { kind: 'sessions', base: 'http://box.example/base' }],
  ['https://box.example/v1/code/sessions/cse_1', { kind: 'sessions', base: 'https://box.example', session: 'cse_1' }],
  ['ws://127.0.0.1:9000', { kind: 'socket', url: 'ws://127.0.0.1:9000' }],
])('%s', (text, address) => {
  expect(parseShimAddress(text)).toMatchObject(address);
});

test.each(['box.example', 'ftp://box.example', 'ws://me:hunter2@box.example', 'https://me:hunter2@box.example/v1'])(
  '%s is refused, and the error does not quote its secret',
  (text) => {
    expect(() => parseShimAddress(text)).toThrow(/^(?!.*hunter2)/);
  },
);

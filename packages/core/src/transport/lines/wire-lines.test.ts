import { describe, expect, test } from 'vitest';
import {
  answeredRequest,
  authLine,
  isControlType,
  KEEP_ALIVE,
  KEEP_ALIVE_LINE,
  tokenOfAuthLine,
  typeOf,
  uuidOf,
} from './wire-lines.ts';

test('a keep-alive line is a message of a type that peers skip', () => {
  expect(KEEP_ALIVE_LINE).toBe('{"type":"keep_alive"}\n');
  expect(typeOf(KEEP_ALIVE_LINE)).toBe(KEEP_ALIVE);
});

describe('an auth line', () => {
  test('contains the token, and returns it when it is read', () => {
    const line = authLine('a "token"');
    expect(line).toBe('{"type":"auth","credential":{"type":"oauth","token":"a \\"token\\""}}\n');
    expect(tokenOfAuthLine(line.trimEnd())).toBe('a "token"');
  });

  test.each([
    undefined,
    '',
    'null',
    'no json',
    '{"type":"auth"}',
    '{"type":"auth","credential":null}',
    '{"type":"auth","credential":{"token":7}}',
    '{"type":"user","credential":{"token":"t"}}',
    `{"type":"auth","credential":{"token":"${'t'.repeat(64 * 1024)}"}}`,
    { bytes: 1, limit: 1, head: '{"type":"auth","credential":{"token":"t"}}' },
  ])('is distinguished from other lines: %#', (line) => {
    expect(tokenOfAuthLine(line as never)).toBeUndefined();
  });
});

test.each<[text: string, type: string | undefined, uuid: string | undefined]>([
  ['{"type":"user","uuid":"u1"}', 'user', 'u1'],
  ['{"type":7,"uuid":8}', undefined, undefined],
  ['[1]', undefined, undefined],
  ['null', undefined, undefined],
  ['no json', undefined, undefined],
])('type and uuid are read only if they are strings: %s', (text, type, uuid) => {
  expect([typeOf(text), uuidOf(text)]).toEqual([type, uuid]);
});

test('isControlType recognizes control traffic, and answeredRequest names the answered request', () => {
  const types = ['control_request', 'control_response', 'control_cancel_request', 'user', undefined];
  expect(types.map(isControlType)).toEqual([true, true, true, false, false]);
  const answer = '{"type":"control_response","response":{"request_id":"r1"}}';
  expect(answeredRequest('control_response', answer)).toEqual({ request_id: 'r1' });
  expect(answeredRequest('control_response', 'no json')).toEqual({ request_id: undefined });
  expect(answeredRequest('user', answer)).toBeUndefined();
});

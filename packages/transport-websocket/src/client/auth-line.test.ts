import { describe, expect, test } from 'vitest';
import { authLine, tokenOfAuthLine } from './auth-line.ts';

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

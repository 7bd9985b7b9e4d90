import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { parseControlAnswer } from './parse-message.ts';

test('parseControlAnswer returns the answer to a declared request unchanged, as known', () => {
  const answer = { mode: 'plan', later: 1 };
  const parsed = parseControlAnswer('set_permission_mode', answer);
  expect(parsed).toEqual({ kind: 'known', name: 'set_permission_mode', message: answer, dropped: [] });
  expect(parsed.kind === 'known' && parsed.message).toBe(answer);
});

verifies('PARSE-1', 'parseControlAnswer returns the answer to an undeclared request as unknown', () => {
  for (const subtype of ['moon_rise', 'channel_enable', 'toString', '__proto__']) {
    expect(parseControlAnswer(subtype, { any: 1 })).toEqual({ kind: 'unknown', name: subtype, message: { any: 1 } });
  }
});

verifies('PARSE-3', 'an invalid optional member is omitted, or makes the answer invalid in strict mode', () => {
  const answer = { behavior: 'deny', message: 'no', interrupt: 'yes' };
  const issue = { path: ['interrupt'], message: 'expected boolean' };
  expect(parseControlAnswer('can_use_tool', answer)).toEqual({
    kind: 'known',
    name: 'can_use_tool',
    message: { behavior: 'deny', message: 'no' },
    dropped: [issue],
  });
  expect(parseControlAnswer('can_use_tool', answer, 'strict')).toEqual({
    kind: 'invalid',
    value: answer,
    issues: [issue],
  });
});

test('parseControlAnswer returns invalid for a value that is not an answer', () => {
  for (const value of [undefined, null, 'text', []]) {
    expect(parseControlAnswer('can_use_tool', value)).toMatchObject({ kind: 'invalid', issues: [{ path: [] }] });
  }
  expect(parseControlAnswer('can_use_tool', { behavior: 'ask' })).toMatchObject({ kind: 'invalid' });
});

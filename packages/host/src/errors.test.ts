import { inspect } from 'node:util';
import type { WireMessage } from '@proto/core/framing';
import type { CheckedMessage } from '@proto/core/internal';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { InvalidMessageError } from './errors.ts';
import { hostAndPuppet, rest, result } from './puppet-agent.test-support.ts';

const ISSUE = { path: ['message'], message: 'must be an object' };
const validate = (message: WireMessage): CheckedMessage =>
  message.type === 'assistant' ? { issues: [ISSUE] } : { message };

verifies(
  'FAIL-6',
  'the error of an unreadable line has the line as a member, but not in its message or its JSON',
  async () => {
    const errors: InvalidMessageError[] = [];
    const { host, puppet } = hostAndPuppet({ validate, onMalformed: (_, error) => errors.push(error) });
    const lines = [`no JSON, but the secret ${'x'.repeat(500)}`, '{"type":"assistant","message":"secret"}', '"secret"'];
    puppet.say(...lines, result());
    await puppet.transport.end();
    expect(await rest(host)).toEqual([result()]);
    expect(errors.map((error) => [error.code, error.line])).toEqual(lines.map((line) => ['invalid-message', line]));
    expect(errors.map(({ issues }) => issues)).toEqual([[], [ISSUE], []]);
    for (const error of errors) {
      expect(InvalidMessageError.is(error)).toBe(true);
      expect(`${inspect(error)} ${JSON.stringify(error)}`).not.toContain('secret');
    }
  },
);

test('InvalidMessageError.is refuses other values', () => {
  for (const value of [undefined, 'text', new Error('other'), { code: 'invalid-message', line: '' }]) {
    expect(InvalidMessageError.is(value)).toBe(false);
  }
});

import { expect, test } from 'vitest';

import { callsOf } from '../calls.ts';
import { ask, assistant, answer, call, done, init, says, session, user } from '../sessions.test-support.ts';
import { readSession } from '../../session-log.ts';
import { rulesFor } from './rule-set.ts';

/** The rules for the second of two calls, after the first one was allowed with these changes. */
const after = (...updates: readonly object[]) => afterAnswer('allow', updates);

function afterAnswer(behavior: string, updatedPermissions: readonly object[]) {
  const payload = { behavior, updatedPermissions };
  const log = readSession(
    session([
      init(),
      assistant([call]),
      ask(),
      says(answer('q1', { subtype: 'success', response: payload })),
      user([done]),
      assistant([{ ...call, id: 't2' }]),
    ]),
  );
  const [, second] = callsOf(log);
  if (second === undefined) throw new Error('The session has two calls.');
  const { behaviors, isUncertain } = rulesFor(log, second);
  return [[...behaviors], isUncertain];
}

const change = (type: string, behavior: string, rule: object = {}) => ({
  type,
  behavior,
  rules: [{ toolName: 'Bash', ...rule }],
  destination: 'session',
});

test('the changes of a denial may or may not count', () => {
  expect(afterAnswer('deny', [change('addRules', 'deny')])).toEqual([['deny'], true]);
});

test('rules are added, replaced and removed in the order of the changes', () => {
  expect(after(change('addRules', 'allow'))).toEqual([['allow'], false]);
  expect(after(change('addRules', 'allow'), change('removeRules', 'allow'))).toEqual([[], false]);
  expect(after(change('addRules', 'deny'), change('replaceRules', 'deny', { toolName: 'Read' }))).toEqual([[], false]);
  expect(after(change('addRules', 'deny', { toolName: 'Read' }))).toEqual([[], false]);
});

test('a rule with a pattern makes the rules of its tool uncertain', () => {
  expect(after(change('addRules', 'allow'), change('addRules', 'ask', { ruleContent: 'git *' }))).toEqual([
    ['allow'],
    true,
  ]);
  expect(after(change('addRules', 'allow', { ruleContent: null }))).toEqual([['allow'], false]);
  expect(after(change('addRules', 'ask', { toolName: 'Read', ruleContent: '/etc/*' }))).toEqual([[], false]);
});

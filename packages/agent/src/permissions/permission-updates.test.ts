import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { validPermissionUpdates } from './permission-updates.ts';

const BASE = { behavior: 'allow', destination: 'session' };
const RULE = { toolName: 'Bash', ruleContent: 'ls' };

describe('the permission updates in an answer', () => {
  const valid = [
    { ...BASE, type: 'addRules', rules: [RULE, { toolName: 'Read' }] },
    { ...BASE, type: 'replaceRules', rules: [] },
    { ...BASE, type: 'removeRules', behavior: 'deny', destination: 'cliArg', rules: [RULE] },
    { type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' },
    { type: 'addDirectories', directories: ['/tmp'], destination: 'localSettings' },
    { type: 'removeDirectories', directories: ['/tmp'], destination: 'projectSettings' },
  ];
  test('stay unchanged if they are valid', () => {
    expect(validPermissionUpdates(valid)).toEqual(valid);
  });

  const broken: readonly unknown[] = [
    null,
    'addRules',
    { ...BASE, type: 'bogus' },
    { ...BASE, type: 'addRules' },
    { ...BASE, type: 'addRules', rules: [RULE], destination: 'elsewhere' },
    { ...BASE, type: 'addRules', rules: [RULE], behavior: 'maybe' },
    { ...BASE, type: 'replaceRules', rules: [{ ruleContent: 'ls' }] },
    { type: 'setMode', destination: 'session' },
    { type: 'addDirectories', directories: [7], destination: 'session' },
    { type: 'addDirectories', directories: '/tmp', destination: 'session' },
  ];
  verifies('PRM-25', 'lose their invalid entries', () => {
    for (const update of broken) expect(validPermissionUpdates([update, ...valid])).toEqual(valid);
    expect(validPermissionUpdates({ 0: valid[0] })).toEqual([]);
    expect(validPermissionUpdates(undefined)).toEqual([]);
  });

  test('lose a rule with null, which Python hosts write, and keep the others', () => {
    const rules = [{ toolName: 'Bash', ruleContent: null }, RULE];
    const update = { ...BASE, type: 'addRules', rules };
    expect(validPermissionUpdates([update])).toEqual([{ ...update, rules: [RULE] }]);
    expect(validPermissionUpdates([{ ...update, rules: [rules[0]] }])).toEqual([]);
  });

  test('are dropped if they have more rules than a user can choose', () => {
    const update = (count: number) => ({ ...BASE, type: 'addRules', rules: Array.from({ length: count }, () => RULE) });
    expect(validPermissionUpdates([update(4095)])).toHaveLength(1);
    expect(validPermissionUpdates([update(4096)])).toEqual([]);
  });
});

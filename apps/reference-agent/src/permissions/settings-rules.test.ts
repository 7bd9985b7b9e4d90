import { expect, test } from 'vitest';
import { createReferenceSession } from '../reference-session.ts';
import { Permissions } from './permissions.ts';
import { settingsRulesOf } from './settings-rules.ts';

const BASH = { name: 'Bash', effect: 'executes' } as const;

function session() {
  const permissions = new Permissions({ cwd: '/project', disallowedTools: ['Write'] });
  const apply = (settings: Readonly<Record<string, unknown>>) => {
    const rules = settingsRulesOf(settings);
    if (rules !== undefined) permissions.setSettingsRules(rules);
  };
  return { apply, behavior: (command: string) => permissions.check(BASH, { command }, command).behavior, permissions };
}

test('rules of settings hold together with the rules of the command line', () => {
  const { apply, behavior, permissions } = session();
  expect(behavior('git log')).toBe('ask');
  apply({ permissions: { allow: ['Bash(git *)'], deny: ['Bash(git push *)'] } });
  expect([behavior('git log'), behavior('git push origin'), behavior('rm x')]).toEqual(['allow', 'deny', 'ask']);
  expect(permissions.isOffered('Write')).toBe(false);
});

test('later settings take their place, and those without rules leave them as they are', () => {
  const { apply, behavior, permissions } = session();
  apply({ permissions: { allow: ['Bash(git *)'] } });
  apply({ model: 'another' });
  expect(behavior('git log')).toBe('allow');
  apply({ permissions: { allow: ['Bash(ls)'] } });
  expect([behavior('git log'), behavior('ls')]).toEqual(['ask', 'allow']);
  apply({ permissions: { deny: ['Write'] } });
  apply({ permissions: null });
  expect(behavior('ls')).toBe('ask');
  // This rule is also given on the command line.
  expect(permissions.isOffered('Write')).toBe(false);
});

test('a value that is not a list of rules is refused, and changes nothing', () => {
  const { apply, behavior } = session();
  apply({ permissions: { allow: ['Bash(ls)'] } });
  expect(() => apply({ permissions: { allow: ['Bash'], deny: 'all' } })).toThrow(
    '"permissions.deny" must be a list of rules',
  );
  expect(() => apply({ permissions: { allow: ['Bash'], deny: ['Bash(rm'] } })).toThrow('is not a valid rule');
  expect([behavior('ls'), behavior('rm x')]).toEqual(['allow', 'ask']);
});

test('settings that a session begins with hold from its start, or are refused if they cannot be applied', () => {
  const { permissions } = createReferenceSession({
    settings: { permissions: { deny: ['Write', 'Bash(rm *)'], disableBypassPermissionsMode: 'disable' } },
    allowDangerouslySkipPermissions: true,
    allowedTools: ['Bash'],
  });
  expect(permissions.isOffered('Write')).toBe(false);
  expect(permissions.check(BASH, { command: 'rm x' }, 'rm x').behavior).toBe('deny');
  expect(permissions.check(BASH, { command: 'ls' }, 'ls').behavior).toBe('allow');
  expect(() => permissions.setMode('bypassPermissions')).toThrow('was not allowed');
  const sandbox = { sandbox: { enabled: true } };
  expect(() => createReferenceSession({ settings: sandbox })).toThrow('require a sandbox (sandbox.enabled)');
  const settings = { permissions: { disableBypassPermissionsMode: 'disable' } };
  expect(() => createReferenceSession({ settings, dangerouslySkipPermissions: true })).toThrow(
    'do not allow skipping permissions',
  );
});

import { describe, expect, test } from 'vitest';
import type { PermissionUpdates } from './ask.ts';
import { Permissions, type PermissionsOptions } from './permissions.ts';

const READ = { name: 'Read', effect: 'reads' } as const;
const WRITE = { name: 'Write', effect: 'writes' } as const;
const BASH = { name: 'Bash', effect: 'executes' } as const;
const ADD = { name: 'mcp__lab__add', effect: 'serves' } as const;
const ASK = { name: 'AskUserQuestion', effect: 'asks' } as const;

const permissionsOf = (options: Partial<PermissionsOptions> = {}) => new Permissions({ cwd: '/work', ...options });

/** The decisions about a file inside, a file outside, a change inside, a change outside, a command, and a tool of a server. */
function verdicts(permissions: ReturnType<typeof permissionsOf>) {
  const said = (tool: Parameters<typeof permissions.check>[0], about?: string) =>
    permissions.check(tool, {}, about).behavior;
  return [
    said(READ, '/work/a'),
    said(READ, '/etc/a'),
    said(WRITE, '/work/a'),
    said(WRITE, '/etc/a'),
    said(BASH, 'ls'),
    said(ADD),
  ].join(' ');
}

test.each([
  ['default', 'allow ask ask ask ask ask'],
  ['auto', 'allow ask ask ask ask ask'],
  ['acceptEdits', 'allow ask allow ask ask ask'],
  ['plan', 'allow ask deny deny deny ask'],
  ['dontAsk', 'allow deny deny deny deny deny'],
  ['bypassPermissions', 'allow allow allow allow allow allow'],
])('in the mode %s', (permissionMode, expected) => {
  expect(verdicts(permissionsOf({ permissionMode }))).toBe(expected);
});

describe('rules', () => {
  test('of the command line allow and deny, and what is denied stays denied', () => {
    const permissions = permissionsOf({
      allowedTools: ['Write', 'Bash(ls)', 'mcp__lab', 'Read'],
      disallowedTools: ['Read(//etc/**)'],
      permissionMode: 'dontAsk',
    });
    expect(verdicts(permissions)).toBe('allow deny allow allow allow allow');
    expect(permissions.check(BASH, {}, 'ls -l').behavior).toBe('deny');
    const bypassing = permissionsOf({ permissionMode: 'bypassPermissions', disallowedTools: ['Bash(rm *)'] });
    expect(bypassing.check(BASH, {}, 'true; rm x').behavior).toBe('deny');
    expect(bypassing.check(BASH, {}, '$x y').behavior).toBe('ask');
    const server = permissionsOf({ permissionMode: 'bypassPermissions', disallowedTools: ['mcp__lab__add(rm *)'] });
    expect(server.check(ADD, { run: ['rm x'] }).behavior).toBe('deny');
    expect(server.check(ADD, { run: ['ls'] }).behavior).toBe('allow');
  });

  test('against a tool as a whole take it away', () => {
    const permissions = permissionsOf({ disallowedTools: ['Bash', 'Read(//etc/**)'] });
    expect(['Bash', 'Read'].map((tool) => permissions.isOffered(tool))).toEqual([false, true]);
  });

  test('of directories make what is in them known', () => {
    expect(verdicts(permissionsOf({ addDir: ['/etc'] }))).toBe('allow allow ask ask ask ask');
    expect(permissionsOf({ addDir: ['/etc'] }).check(READ, {}, '/etcetera').behavior).toBe('ask');
  });
});

type Update = PermissionUpdates[number];

describe('changes', () => {
  const changed = (options: Partial<PermissionsOptions>, ...updates: PermissionUpdates) => {
    const permissions = permissionsOf(options);
    permissions.apply(updates);
    return permissions;
  };
  const rule = (
    type: 'addRules' | 'replaceRules' | 'removeRules',
    behavior: 'allow' | 'ask',
    toolName: string,
  ): Update => ({
    type,
    behavior,
    rules: [{ toolName }],
    destination: 'session',
  });

  test('add, replace and remove rules', () => {
    const add = rule('addRules', 'allow', 'Bash');
    expect(verdicts(changed({}, add))).toBe('allow ask ask ask allow ask');
    expect(verdicts(changed({}, add, rule('replaceRules', 'allow', 'Write')))).toBe('allow ask allow allow ask ask');
    expect(verdicts(changed({}, add, rule('removeRules', 'allow', 'Bash')))).toBe('allow ask ask ask ask ask');
    expect(verdicts(changed({ permissionMode: 'acceptEdits' }, rule('addRules', 'ask', 'Write')))).toBe(
      'allow ask ask ask ask ask',
    );
  });

  test('change only the rules with their destination', () => {
    const add = rule('addRules', 'allow', 'Bash');
    const other = { destination: 'localSettings' } as const;
    expect(verdicts(changed({}, add, { ...rule('removeRules', 'allow', 'Bash'), ...other }))).toBe(
      'allow ask ask ask allow ask',
    );
    expect(verdicts(changed({}, add, { ...rule('replaceRules', 'allow', 'Write'), ...other }))).toBe(
      'allow ask allow allow allow ask',
    );
  });

  test('add and remove directories', () => {
    const directories = ['/etc'];
    const add: Update = { type: 'addDirectories', directories, destination: 'session' };
    expect(verdicts(changed({}, add))).toBe('allow allow ask ask ask ask');
    expect(verdicts(changed({}, add, { ...add, type: 'removeDirectories' }))).toBe('allow ask ask ask ask ask');
  });

  test('do not set a mode that only the start may set', () => {
    const after = (permissions: ReturnType<typeof permissionsOf>, mode: string) => {
      permissions.setMode(mode);
      return permissions.mode;
    };
    expect(after(permissionsOf(), 'acceptEdits')).toBe('acceptEdits');
    expect(after(permissionsOf({ mayBypass: true }), 'bypassPermissions')).toBe('bypassPermissions');
    expect(() => permissionsOf().setMode('bypassPermissions')).toThrow(
      expect.objectContaining({ code: 'bypass_not_launched' }),
    );
  });
});

describe('a question', () => {
  test('for a command offers a rule for what begins like it', () => {
    expect(permissionsOf().check(BASH, { description: 'Touch' }, 'touch no')).toEqual({
      behavior: 'ask',
      suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'touch no *' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
      request: { display_name: 'Bash', description: 'Touch' },
    });
  });

  test('for a change offers the mode that accepts it', () => {
    expect(permissionsOf().check(WRITE, {}, '/work/one.txt')).toEqual({
      behavior: 'ask',
      suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      request: { display_name: 'Write', description: 'one.txt' },
    });
  });

  test('for a file outside names it, and offers its directory', () => {
    expect(permissionsOf().check(READ, {}, '/etc/a/b')).toMatchObject({
      blockedPath: '/etc/a/b',
      decisionReason: { type: 'workingDir' },
      suggestions: [{ type: 'addDirectories', directories: ['/etc/a'], destination: 'session' }],
    });
  });

  test('for a tool of a server says whose it is', () => {
    expect(permissionsOf().check(ADD, {})).toMatchObject({
      request: { display_name: 'Add', mcp_server: { name: 'lab', source: 'sdk' } },
      suggestions: [{ rules: [{ toolName: 'mcp__lab__add' }] }],
    });
  });

  test('to the user is one whatever else is allowed', () => {
    const permissions = permissionsOf({ permissionMode: 'bypassPermissions' });
    expect(permissions.check(ASK, {})).toMatchObject({
      behavior: 'ask',
      request: { requires_user_interaction: true },
    });
  });
});

test('a limited MCP server is asked for in every mode, unless a rule allows its tool', () => {
  const permissions = permissionsOf({ permissionMode: 'bypassPermissions' });
  const other = { name: 'mcp__labs__add', effect: 'serves' } as const;
  permissions.limitServer('lab', true);
  expect([ADD, other].map((tool) => permissions.check(tool, {}).behavior)).toEqual(['ask', 'allow']);
  permissions.limitServer('lab', false);
  expect(permissions.check(ADD, {}).behavior).toBe('allow');
  const allowing = permissionsOf({ permissionMode: 'bypassPermissions', allowedTools: ['mcp__lab__add'] });
  allowing.limitServer('lab', true);
  expect(allowing.check(ADD, {}).behavior).toBe('allow');
});

test('the rules are listed with their sources', () => {
  const permissions = permissionsOf({
    allowedTools: ['Bash(git log *)'],
    disallowedTools: ['Write'],
    addDir: ['/etc'],
  });
  permissions.apply([
    { type: 'addRules', behavior: 'allow', destination: 'session', rules: [{ toolName: 'Read', ruleContent: 'a' }] },
  ]);
  permissions.setSettingsRules({ allow: [], deny: [], ask: [{ toolName: 'Bash' }] });
  expect(permissions.listed).toEqual({
    rules: [
      { behavior: 'allow', source: 'cliArg', rule: 'Bash(git log *)', editability: 'readonly' },
      { behavior: 'deny', source: 'cliArg', rule: 'Write', editability: 'readonly' },
      { behavior: 'allow', source: 'session', rule: 'Read(a)', editability: 'session' },
      { behavior: 'ask', source: 'flagSettings', rule: 'Bash', editability: 'readonly' },
    ],
    workspaceDirectories: [{ path: '/etc', source: 'session' }],
    originalCwd: '/work',
    managedOnly: false,
  });
});

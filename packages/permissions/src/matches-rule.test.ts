import { describe, expect, test } from 'vitest';
import { coversTool, matchesRule, patternFor, type RuleSubject } from './matches-rule.ts';
import { type Behavior, parseRule } from './rule.ts';

type Kind = RuleSubject['kind'];

function kindOf(tool: string): Kind {
  if (tool === 'Bash') return 'command';
  return tool === 'WebFetch' ? 'url' : 'path';
}

function matches(rule: string, tool: string, about?: string, behavior: Behavior = 'allow', home?: string): boolean {
  const subject = { tool, kind: kindOf(tool), values: about === undefined ? [] : [about] };
  return matchesRule(parseRule(rule), subject, { behavior, cwd: '/work', home });
}

test.each([
  ['Bash', 'Bash', 'ls', true],
  ['Bash(*)', 'Bash', 'ls', true],
  ['Bash', 'Read', '/work/a', false],
  ['Bash(git log)', 'Bash', 'git log', true],
  ['Bash(git log)', 'Bash', 'git log -1', false],
  ['Bash(git log *)', 'Bash', 'git log -1', true],
  ['Bash(git log:*)', 'Bash', 'git log -1', true],
  ['Bash(git log:*)', 'Bash', 'git log', true],
  ['Bash(git log:*)', 'Bash', 'git logs', false],
  ['Bash(git * main)', 'Bash', 'git checkout main', true],
  ['Bash(git * main)', 'Bash', 'git checkout main; rm x', false],
  ['Bash(* --version)', 'Bash', 'node --version', true],
  ['Bash(npm*)', 'Bash', 'npm test', true],
  ['Read(src/**)', 'Read', '/work/src/a/b.ts', true],
  ['Read(./src/*)', 'Read', '/work/src/a/b.ts', false],
  ['Read(src/)', 'Read', '/work/src/a/b.ts', true],
  ['Read(**/*.ts)', 'Read', '/work/a.ts', true],
  ['Read(**/*.ts)', 'Read', '/work/src/deep/a.ts', true],
  ['Read(src/**/a.ts)', 'Read', '/work/src/a.ts', true],
  ['Read(src/**/a.ts)', 'Read', '/work/src/x/y/a.ts', true],
  ['Read(src/**/a.ts)', 'Read', '/work/src/xa.ts', false],
  ['Read(a?.ts)', 'Read', '/work/ab.ts', true],
  ['Read(*.env)', 'Read', '/work/.env', true],
  ['Read(*.env)', 'Read', '/work/deep/.env', false],
  ['Read(app/[id]/*)', 'Read', '/work/app/[id]/page', true],
  ['Read(src/**)', 'Read', '/elsewhere/src/a.ts', false],
  ['Read(../other/*)', 'Read', '/other/a', true],
  ['Read(//etc/**)', 'Read', '/etc/passwd', true],
  ['Read(a.c)', 'Read', '/work/abc', false],
  ['Read(SRC/*)', 'Read', '/work/src/a', false],
  ['Edit(src/**)', 'Write', '/work/src/a', true],
  ['Edit(src/**)', 'NotebookEdit', '/work/src/a', true],
  ['Read(src/**)', 'Grep', '/work/src/a', false],
  ['Edit', 'Bash', 'ls', false],
  ['WebFetch(domain:example.com)', 'WebFetch', 'https://example.com/a', true],
  ['WebFetch(domain:example.com)', 'WebFetch', 'https://api.example.com/', false],
  ['WebFetch(domain:*.example.com)', 'WebFetch', 'https://api.example.com/', true],
  ['WebFetch(domain:example.com)', 'WebFetch', 'https://evil.com/example.com', false],
  ['WebFetch(example.com)', 'WebFetch', 'https://example.com/', false],
  ['mcp__lab', 'mcp__lab__add', undefined, true],
  ['mcp__lab__*', 'mcp__lab__add', undefined, true],
  ['mcp__lab__add', 'mcp__lab__add', undefined, true],
  ['mcp__*__add', 'mcp__lab__add', undefined, true],
  ['mcp__lab', 'mcp__laboratory__add', undefined, false],
  ['*', 'Anything', undefined, true],
  ['Read(src/**)', 'Read', undefined, false],
])('%s permits %s of %s: %s', (rule, tool, about, holds) => {
  expect(matches(rule, tool, about)).toBe(holds);
});

test.each([
  'git log; rm -rf .',
  'git log && rm x',
  'git log | sh',
  'git log $(rm x)',
  'git log `rm x`',
  'git log > /etc/x',
  'git log\nrm x',
])('an allow rule for one command does not permit a second command: %j', (command) => {
  expect(matches('Bash(git log *)', 'Bash', command)).toBe(false);
});

describe('a rule that denies or asks', () => {
  test.each(['rm x', 'true; rm x', 'echo $(rm x)', 'true && rm x', 'true\nrm x', 'rm\tx', 'A=1 B=2 rm x', 'RM x'])(
    'matches its command at any place of a command line: %j',
    (command) => {
      expect(matches('Bash(rm *)', 'Bash', command, 'deny')).toBe(true);
    },
  );

  test('does not match a command that only contains its words as arguments', () => {
    expect(matches('Bash(rm *)', 'Bash', 'echo rm', 'deny')).toBe(false);
  });

  test.each([
    ['Read(.env)', '/work/.env'],
    ['Read(.env)', '/work/deep/er/.env'],
    ['Read(**/.env)', '/work/.env'],
    ['Read(secret)', '/work/secret/deep/key'],
    ['Read(secret/*)', '/work/secret/deep/key'],
    ['Read(secret/**)', '/work/SECRET/key'],
    ['Read(secret/**)', '/work/secret'],
    ['Read(./secret/)', '/work/secret/key'],
    ['Read(//etc)', '/etc/passwd'],
    ['Read(../secret/**)', '/secret/key'],
    ['Read(src/*/../../secret)', '/work/a'],
  ])('%s matches %s', (rule, path) => {
    expect(matches(rule, 'Read', path, 'deny')).toBe(true);
    expect(matches(rule, 'Read', path, 'ask')).toBe(true);
  });

  test.each([
    ['Read(./.env)', '/work/deep/.env'],
    ['Read(secret)', '/work/secrets'],
    ['Read(secret)', '/elsewhere/secret'],
    ['Read(//etc/**)', '/etcetera/a'],
  ])('%s does not match %s', (rule, path) => {
    expect(matches(rule, 'Read', path, 'deny')).toBe(false);
  });

  test('for Read also matches tools that search files, and a tool name in other case', () => {
    expect(matches('Read(secret/**)', 'Grep', '/work/secret', 'deny')).toBe(true);
    expect(matches('read(secret/**)', 'Read', '/work/secret/a', 'deny')).toBe(true);
  });

  test('for a domain also matches its subdomains', () => {
    expect(matches('WebFetch(domain:evil.com)', 'WebFetch', 'https://a.EVIL.com./', 'deny')).toBe(true);
    expect(matches('WebFetch(domain:evil.com)', 'WebFetch', 'https://notevil.com/', 'deny')).toBe(false);
  });

  test('matches when the call has no value or the pattern cannot be parsed', () => {
    expect(matches('Read(src/**)', 'Read', undefined, 'deny')).toBe(true);
    expect(matches('mcp__lab__add(1)', 'mcp__lab__add', undefined, 'ask')).toBe(true);
    expect(matches('WebFetch(evil.com)', 'WebFetch', 'https://good.com', 'deny')).toBe(true);
    expect(matches('WebFetch(domain:evil.com)', 'WebFetch', 'no address', 'deny')).toBe(true);
  });
});

test('a `~` pattern starts at the home folder; without a home folder it allows nothing and denies everything', () => {
  for (const behavior of ['allow', 'deny'] as const) {
    expect(matches('Read(~/.ssh/**)', 'Read', '/home/me/.ssh/id', behavior, '/home/me')).toBe(true);
    expect(matches('Read(~/.ssh/**)', 'Read', '/work/.ssh/id', behavior, '/home/me')).toBe(false);
    expect(matches('Read(~/.ssh/**)', 'Read', '/work/a', behavior)).toBe(behavior === 'deny');
  }
});

test('Windows paths match folder by folder, with slashes and with backslashes', () => {
  const on = (rule: string, path: string, behavior: Behavior = 'allow') =>
    matchesRule(
      parseRule(rule),
      { tool: 'Read', kind: 'path', values: [path] },
      { behavior, cwd: String.raw`C:\work` },
    );
  expect(on('Read(src/**)', '/c/work/src/a')).toBe(true);
  expect(on(String.raw`Read(src\**)`, '/c/work/src/a')).toBe(true);
  expect(on('Read(//c/secret/**)', '/c/secret/a', 'deny')).toBe(true);
  expect(on(String.raw`Read(C:\secret\**)`, '/c/Secret/a', 'deny')).toBe(true);
});

test('the suggested pattern for a command matches that command, but not the command with another one appended', () => {
  expect(patternFor('git log -1')).toBe('git log *');
  for (const command of ['git log -1', 'ls', 'true; rm x']) {
    expect(matches(`Bash(${patternFor(command)})`, 'Bash', command)).toBe(true);
    expect(matches(`Bash(${patternFor(command)})`, 'Bash', `${command}; rm y`)).toBe(false);
  }
});

test('a rule with a pattern does not cover the whole tool', () => {
  expect(coversTool(parseRule('Bash'), 'Bash')).toBe(true);
  expect(coversTool({ toolName: 'Bash', ruleContent: '' }, 'Bash')).toBe(true);
  expect(coversTool(parseRule('Bash(rm *)'), 'Bash')).toBe(false);
});

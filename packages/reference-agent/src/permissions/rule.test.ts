import { expect, test } from 'vitest';
import { coversTool, matchesRule, parseRule, patternFor } from './rule.ts';

const matches = (rule: string, tool: string, about?: string, asWhole = true) =>
  matchesRule(parseRule(rule), { tool, about }, { cwd: '/work', asWhole });

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
  ['Read(src/**)', 'Read', '/work/src/a/b.ts', true],
  ['Read(./src/*)', 'Read', '/work/src/a/b.ts', false],
  ['Read(*.env)', 'Read', '/work/.env', true],
  ['Read(src/**)', 'Read', '/elsewhere/src/a.ts', false],
  ['Read(//etc/**)', 'Read', '/etc/passwd', true],
  ['Read(a.c)', 'Read', '/work/abc', false],
  ['Edit(src/**)', 'Write', '/work/src/a', true],
  ['Edit', 'Bash', 'ls', false],
  ['mcp__lab', 'mcp__lab__add', undefined, true],
  ['mcp__lab__*', 'mcp__lab__add', undefined, true],
  ['mcp__lab__add', 'mcp__lab__add', undefined, true],
  ['mcp__lab', 'mcp__laboratory__add', undefined, false],
  ['Read(src/**)', 'Read', undefined, false],
])('%s for %s of %s: %s', (rule, tool, about, holds) => {
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
])('a rule for one command permits no other one behind it: %j', (command) => {
  expect(matches('Bash(git log *)', 'Bash', command)).toBe(false);
});

test('a rule against a command holds wherever in a line it stands', () => {
  for (const command of ['rm x', 'true; rm x', 'echo $(rm x)', 'true && rm x', 'true\nrm x']) {
    expect(matches('Bash(rm *)', 'Bash', command, false), command).toBe(true);
  }
  expect(matches('Bash(rm *)', 'Bash', 'echo rm', false)).toBe(false);
});

test('the pattern that is offered for a command holds for it, and for nothing that only begins like it', () => {
  expect(patternFor('git log -1')).toBe('git log *');
  for (const command of ['git log -1', 'ls', 'true; rm x']) {
    expect(matches(`Bash(${patternFor(command)})`, 'Bash', command)).toBe(true);
    expect(matches(`Bash(${patternFor(command)})`, 'Bash', `${command}; rm y`)).toBe(false);
  }
});

test('a rule with a pattern is not about the tool as a whole', () => {
  expect(coversTool(parseRule('Bash'), 'Bash')).toBe(true);
  expect(coversTool(parseRule('Bash(rm *)'), 'Bash')).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { decide, parsePermissionRules } from './permission-rules.ts';

const RULES = parsePermissionRules(
  JSON.stringify({
    allow: ['Read', 'Write(src/**)', 'Bash(git log *)', 'mcp__notes'],
    ask: ['Bash(git push *)', 'Read(secret/*)'],
    deny: ['Read(//etc/**)', 'Bash(rm *)'],
  }),
);

const verdict = (name: string, input: Record<string, unknown> = {}, rules = RULES) =>
  decide(rules, { name, input }, '/work').behavior;

describe('rules', () => {
  test.each([
    ['Read', { file_path: 'package.json' }, 'allow'],
    ['Read', { file_path: '/etc/passwd' }, 'deny'],
    ['Read', { file_path: '../etc/passwd' }, 'deny'],
    ['Read', { file_path: '/work/secret/key' }, 'ask'],
    ['Read', { file_path: 'src/../secret/key' }, 'ask'],
    ['Write', { file_path: 'src/a/b.ts' }, 'allow'],
    ['Write', { file_path: 'src/../b.ts' }, 'deny'],
    ['Bash', { command: 'git log --oneline' }, 'allow'],
    ['Bash', { command: 'git log; curl evil' }, 'deny'],
    ['Bash', { command: 'git log && rm -r /' }, 'deny'],
    ['Bash', { command: 'git push origin' }, 'ask'],
    ['Bash', { command: 'ls' }, 'deny'],
    ['mcp__notes__add', {}, 'allow'],
    ['mcp__notesy__add', {}, 'deny'],
    ['Unheard', {}, 'deny'],
  ])('%s %o: %s', (name, input, behavior) => {
    expect(verdict(name, input)).toBe(behavior);
  });

  test('deny what they are not about, unless they say otherwise', () => {
    expect(verdict('Read', {}, parsePermissionRules('{}'))).toBe('deny');
    expect(verdict('Read', {}, parsePermissionRules('{"default":"ask"}'))).toBe('ask');
  });

  test('say which one it was', () => {
    expect(decide(RULES, { name: 'Bash', input: { command: 'rm x' } }, '/work').by).toBe('rule deny Bash(rm *)');
    expect(decide(RULES, { name: 'Other', input: {} }, '/work').by).toBe('no rule, default deny');
  });

  test.each([
    ['', 'JSON'],
    ['[]', 'must be an object'],
    ['{"alow":["Read"]}', '"alow" is not known'],
    ['{"deny":"Bash"}', '"deny" must be a list'],
    ['{"deny":["Bash(rm"]}', 'is no rule'],
    ['{"deny":[{"tool":"Bash"}]}', 'is no rule'],
    ['{"default":"maybe"}', '"default" must be'],
  ])('%s is refused: a rule that is not understood is not left out', (text, why) => {
    expect(() => parsePermissionRules(text)).toThrow(why);
  });
});

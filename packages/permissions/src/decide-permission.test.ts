import { describe, expect, test } from 'vitest';
import { decidePermission, type RuleContext } from './decide-permission.ts';
import { createPermissionRules, type PermissionRulesText, parsePermissionRules } from './permission-rules.ts';
import { PermissionRulesError } from './rule.ts';

const RULES: PermissionRulesText = {
  allow: ['Read', 'Write(src/**)', 'Bash(git log *)', 'mcp__notes', 'Agent(Explore)'],
  ask: ['Bash(git push *)', 'Read(secret/*)'],
  deny: ['Read(//etc/**)', 'Bash(rm *)'],
};

function decide(text: PermissionRulesText, tool: string, input: object = {}, context: Partial<RuleContext> = {}) {
  return decidePermission(createPermissionRules(text), { tool, input: { ...input } }, { cwd: '/work', ...context });
}

describe('rules', () => {
  test.each([
    ['Read', { file_path: 'package.json' }, 'allow'],
    ['Read', { file_path: '/etc/passwd' }, 'deny'],
    ['Read', { file_path: '../etc/passwd' }, 'deny'],
    ['Read', { file_path: '/work/secret/key' }, 'ask'],
    ['Read', { file_path: 'src/../secret/key' }, 'ask'],
    ['Read', { path: 'package.json', file_path: '/etc/passwd' }, 'deny'],
    ['Grep', { pattern: 'root', path: '/etc' }, 'deny'],
    ['Glob', { pattern: '/etc/*' }, 'deny'],
    ['Write', { file_path: 'src/a/b.ts' }, 'allow'],
    ['Write', { file_path: 'src/../b.ts' }, 'deny'],
    ['Write', { file_path: 'src/a.ts', path: 'b.ts' }, 'deny'],
    ['Write', {}, 'deny'],
    ['Bash', { command: 'git log --oneline' }, 'allow'],
    ['Bash', { command: 'git log; curl evil' }, 'deny'],
    ['Bash', { command: 'git log && rm -r /' }, 'deny'],
    ['Bash', { command: 'git push origin' }, 'ask'],
    ['Bash', { command: 'ls' }, 'deny'],
    ['Bash', { command: 1 }, 'deny'],
    ['Agent', { subagent_type: 'Explore' }, 'allow'],
    ['Agent', { subagent_type: 'Other' }, 'deny'],
    ['mcp__notes__add', {}, 'allow'],
    ['mcp__notesy__add', {}, 'deny'],
    ['Unheard', {}, 'deny'],
  ])('%s %o: %s', async (tool, input, behavior) => {
    expect((await decide(RULES, tool, input)).behavior).toBe(behavior);
  });

  test('deny calls that no rule matches, unless a default says otherwise', async () => {
    expect(await decide({}, 'Read')).toEqual({ behavior: 'deny', source: 'default', by: 'no rule, default deny' });
    expect((await decide({ default: 'ask' }, 'Read')).behavior).toBe('ask');
  });

  test('are named in the decision that they cause', async () => {
    expect(await decide(RULES, 'Bash', { command: 'rm x' })).toEqual({
      behavior: 'deny',
      source: 'rule',
      rule: { toolName: 'Bash', ruleContent: 'rm *' },
      by: 'rule deny Bash(rm *)',
    });
  });

  test('that deny take precedence over ask, and ask over allow, in any order', async () => {
    const behaviors = async (text: PermissionRulesText) => (await decide(text, 'Read', { file_path: 'a' })).behavior;
    expect(await behaviors({ allow: ['Read'], ask: ['Read'], deny: ['Read'], default: 'allow' })).toBe('deny');
    expect(await behaviors({ allow: ['Read(a)'], ask: ['Read'], default: 'allow' })).toBe('ask');
    expect(await behaviors({ allow: ['Read(a)'], deny: ['Read(*)'], default: 'allow' })).toBe('deny');
    expect(await behaviors({ allow: ['Read(a)'], default: 'deny' })).toBe('allow');
  });
});

describe('symbolic links', () => {
  const links: Readonly<Record<string, string>> = { '/work': '/real', '/work/link': '/etc', '/work/a': '/real/a' };
  const followLinks = (path: string) => links[path] ?? path;

  test('are denied by their target and by their own path', async () => {
    const read = (deny: string) =>
      decide({ deny: [deny], default: 'allow' }, 'Read', { file_path: 'link' }, { followLinks });
    expect((await read('Read(//etc/**)')).behavior).toBe('deny');
    expect((await read('Read(link)')).behavior).toBe('deny');
    expect((await read('Read(other)')).behavior).toBe('allow');
  });

  test('are allowed only if their target is allowed, also when the working folder is a link', async () => {
    const read = (file_path: string) => decide({ allow: ['Read(./**)'] }, 'Read', { file_path }, { followLinks });
    expect((await read('a')).behavior).toBe('allow');
    expect((await read('link')).behavior).toBe('deny');
  });

  test('that cannot be followed are denied', async () => {
    const failing = () => Promise.reject(new Error('ELOOP'));
    expect(await decide({ default: 'allow' }, 'Read', { file_path: 'a' }, { followLinks: failing })).toEqual({
      behavior: 'deny',
      source: 'error',
      by: 'an error: ELOOP',
    });
  });

  test('are also looked up for a path before its `..` parts are resolved', async () => {
    const asked: string[] = [];
    const record = (path: string) => {
      asked.push(path);
      return path;
    };
    await decide({}, 'Read', { file_path: 'link/../passwd' }, { followLinks: record });
    expect(asked).toContain('/work/link/../passwd');
  });
});

test('a rule for a path in the home folder matches, whether the agent expands `~` or not', async () => {
  const read = (context: Partial<RuleContext>) =>
    decide({ deny: ['Read(~/.ssh/**)'], default: 'allow' }, 'Read', { file_path: '~/.ssh/id' }, context);
  expect((await read({ home: '/home/me' })).behavior).toBe('deny');
  expect((await read({})).behavior).toBe('deny');
});

test.each([
  ['', 'JSON'],
  ['[]', 'must be an object'],
  ['null', 'must be an object'],
  ['{"alow":["Read"]}', '"alow" is not known'],
  ['{"__proto__":{"allow":["Bash"]}}', '"__proto__" is not known'],
  ['{"deny":"Bash"}', '"deny" must be a list'],
  ['{"deny":["Bash(rm"]}', 'is not a valid rule'],
  ['{"deny":[""]}', 'is not a valid rule'],
  ['{"deny":["Read(!secret)"]}', 'is an exception'],
  ['{"deny":[{"tool":"Bash"}]}', 'is not a valid rule'],
  ['{"default":"maybe"}', '"default" must be'],
])('%s is refused: a rule that cannot be parsed is never ignored', (text, why) => {
  expect(() => parsePermissionRules(text)).toThrow(PermissionRulesError);
  expect(() => parsePermissionRules(text)).toThrow(why);
});

test('later changes of the source data do not change parsed rules', async () => {
  const deny = ['Read'];
  const rules = createPermissionRules({ deny, default: 'allow' });
  deny.pop();
  expect((await decidePermission(rules, { tool: 'Read', input: {} }, { cwd: '/' })).behavior).toBe('deny');
});

/** In doubt, a rule that allows does not match, a rule that denies matches, and a call that a rule cannot decide about is left to a person. */
import { expect, test } from 'vitest';
import { decidePermission } from './decide-permission.ts';
import { createPermissionRules, parsePermissionRules, type PermissionRulesText } from './permission-rules.ts';
import { parseRule, PermissionRulesError } from './rule.ts';

async function decide(text: PermissionRulesText, tool: string, input: object) {
  const rules = createPermissionRules(text);
  return (await decidePermission(rules, { tool, input: { ...input } }, { cwd: '/work', home: '/home/me' })).behavior;
}

test.each([
  ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://evil.com/', path: 'domain:example.com' }],
  ['WebFetch(domain:example.com)', 'WebFetch', { url: ['https://example.com/'] }],
  ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://evil.com\\@example.com/' }],
  ['WebFetch(domain:*)', 'WebFetch', { url: 'file:///etc/passwd' }],
  ['Read(src/**)', 'Read', { file_path: ['/etc/passwd'], path: 'src/a' }],
  ['Read(src/**)', 'Read', { file_path: '/proc/self/cwd/src/a' }],
  ['Bash(git log *)', 'Bash', { command: ['rm x'], path: 'git log -1' }],
  ['Agent(Explore)', 'Agent', { subagent_type: 1, command: 'Explore' }],
  ['mcp__sh__run(git *)', 'mcp__sh__run', { command: 'git log', more: { next: ['rm x'] } }],
  ['mcp__sh__run(git *)', 'mcp__sh__run', { command: 'git log; rm x' }],
  ['mcp__fs__read(/tmp/*)', 'mcp__fs__read', { path: '/tmp/../etc/passwd' }],
  ['mcp__fs__read(/tmp/*)', 'mcp__fs__read', { path: 1 }],
  ['Glob(src/**)', 'Glob', { pattern: '*/../../*', path: 'src' }],
  ['Grep(src/*)', 'Grep', { pattern: 'x', path: 'src/deep' }],
])('%s does not allow %s %o', async (rule, tool, input) => {
  expect(await decide({ allow: [rule] }, tool, input)).toBe('deny');
});

test.each([
  ['mcp__sh__run(git *)', 'mcp__sh__run', { command: 'git log', more: [{ next: 'git diff' }] }],
  ['Grep(src/**)', 'Grep', { pattern: 'x', path: 'src/deep' }],
  ['WebFetch(domain: EXAMPLE.com.)', 'WebFetch', { url: 'https://example.com./a' }],
  ['WebFetch(domain:bücher.example)', 'WebFetch', { url: 'https://xn--bcher-kva.example/' }],
])('%s allows %s %o', async (rule, tool, input) => {
  expect(await decide({ allow: [rule] }, tool, input)).toBe('allow');
});

test.each([
  ['mcp__sh__run(rm *)', 'mcp__sh__run', { command: 'rm x', path: '/tmp' }],
  ['mcp__sh__run(rm *)', 'mcp__sh__run', { steps: [{ run: 'true; rm x' }] }],
  ['Bash(rm *)', 'Bash', { command: 1 }],
  ['read(secrets/**)', 'Grep', { pattern: 'x', path: 'secrets' }],
  ['Read(secrets/**)', 'Grep', { pattern: 'x', glob: 'secrets/**' }],
  ['Read(//etc/**)', 'Glob', { pattern: '{/etc,/tmp}/*' }],
  ['Read(//etc/**)', 'Glob', { pattern: '{.,x}{.,y}/etc/*' }],
  ['Read(secrets/**)', 'Read', { file_path: '/proc/self/cwd/secrets/key' }],
  ['Read(//etc/**)', 'Read', { file_path: '/proc/1/root/etc/passwd' }],
  ['WebFetch(domain:bücher.example)', 'WebFetch', { url: 'https://xn--bcher-kva.example/' }],
  ['WebFetch(domain:evil.com.)', 'WebFetch', { url: 'https://EVIL.com' }],
])('%s denies %s %o', async (rule, tool, input) => {
  expect(await decide({ deny: [rule], default: 'allow' }, tool, input)).toBe('deny');
});

test.each([
  ['Read(secrets/**)', 'Grep', { pattern: 'x' }],
  ['Read(secrets/**)', 'Grep', { pattern: 'x', path: '..' }],
  ['Read(.env)', 'Grep', { pattern: 'x', path: 'src', type: 'ts' }],
  ['Read(secrets/**)', 'Glob', { pattern: '*/../../secrets/*' }],
  ['Read(//etc/**)', 'Glob', { pattern: '[e]tc/*', path: '/' }],
  ['Read(//etc/**)', 'LS', { path: '/' }],
  ['Read(secrets/**)', 'Read', { file_path: '/dev/fd/3' }],
  ['Bash(rm *)', 'Bash', { command: '$x' }],
  ['WebFetch(domain:evil.com)', 'WebFetch', { url: 'https://a@b.com/' }],
])('%s cannot decide about %s %o, so a person is asked', async (rule, tool, input) => {
  expect(await decide({ deny: [rule], default: 'allow' }, tool, input)).toBe('ask');
});

test.each([
  ['Read(//etc/**)', 'Glob', { pattern: 'src/**/*.{ts,tsx}' }],
  ['Read(./secrets/**)', 'Glob', { pattern: 'src/**/*.ts' }],
  ['Read(./secrets/**)', 'Grep', { pattern: 'x', path: 'src', glob: '*.ts' }],
  ['Read(//etc/**)', 'LS', { path: '/usr' }],
])('%s says nothing about %s %o', async (rule, tool, input) => {
  expect(await decide({ deny: [rule], default: 'allow' }, tool, input)).toBe('allow');
});

test('each command of a plain line may have a rule', async () => {
  const text = { allow: ['Bash(npm run test:*)', 'Bash(git diff *)'], deny: ['Bash(rm *)'] };
  expect(await decide(text, 'Bash', { command: 'npm run test && git diff -w' })).toBe('allow');
  expect(await decide(text, 'Bash', { command: 'npm run test && rm x' })).toBe('deny');
  expect(await decide(text, 'Bash', { command: 'npm run test && ls' })).toBe('deny');
});

test('a command above 64 KiB is asked about, whatever the rules allow', async () => {
  const command = 'a'.repeat(64 * 1024 + 1);
  expect(await decide({ allow: ['Bash'] }, 'Bash', { command })).toBe('ask');
  expect(await decide({ allow: ['Bash(a*)'], deny: ['Bash(rm *)'] }, 'Bash', { command })).toBe('ask');
  expect(await decide({ deny: ['Bash'] }, 'Bash', { command })).toBe('deny');
  expect(await decide({ allow: ['mcp__x__y(a*)'] }, 'mcp__x__y', { text: command })).toBe('deny');
});

test.each([
  'evil.com:8080',
  'https://evil.com',
  'evil.com/a',
  'a@evil.com',
  'a b',
  '',
  'evil.com..',
  '[::1',
  '1.2.3.999',
])('a domain that no address can have is refused: %j', (host) => {
  expect(() => parseRule(`WebFetch(domain:${host})`)).toThrow(PermissionRulesError);
});

test.each([
  '{"deny":["Bash(rm *)"],"deny":[]}',
  '{"deny":["Bash(rm *)"],"\\u0064eny":[]}',
  '{"default":"deny","allow":[],"default":"allow"}',
])('rules with a name twice are refused, as one of the two would be lost: %s', (json) => {
  expect(() => parsePermissionRules(json)).toThrow('twice');
});

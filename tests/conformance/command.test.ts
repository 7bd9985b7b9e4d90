/** `sjp conformance` as a process: the exit codes of each side, and the list of expected failures. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@proto/test-support/verifies';
import { afterAll, expect, test } from 'vitest';

import { startOwnServer } from './own-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const suite = dirname(createRequire(import.meta.url).resolve('@proto/conformance/package.json'));
const SJP = join(root, 'packages/cli/dist/main.js');
const AGENT = [process.execPath, join(root, 'packages/cli/dist/agent.js')];
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sjp(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [SJP, 'conformance', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

verifies('TEST-6', 'an agent that conforms exits with 0, and one that does not with 6', async () => {
  const good = await sjp('agent', '--include', 'agent/control/initialize', '--', ...AGENT);
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed') });
  const silent = fileOf('silent.mjs', 'process.stdin.resume();');
  const bad = await sjp(
    'agent',
    '--include',
    'agent/control/initialize',
    '--timeout-scale',
    '0.1',
    '--',
    process.execPath,
    silent,
  );
  expect(bad).toMatchObject({
    code: 6,
    stdout: expect.stringMatching(/FAIL agent\/control\/initialize[^]*\(section 3\.\d\)/),
  });
});

test.each(['agent.py', 'small_agent.py'])(
  '%s of the examples is green in the profile core',
  async (name) => {
    const agent = join(root, 'examples/agent-in-python', name);
    const { code, stdout } = await sjp('agent', '--profile', 'core', '--strict', '--', 'python3', agent);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        / 0 failed, 0 warnings, 0 not declared; [^]*^core +(\d+) of \1 MUST cases: 100 %$/m,
      ),
    });
  },
  60_000,
);

test('a case file is run in place of the suite, and must be one', async () => {
  const cases = (steps: string) =>
    fileOf(
      'own.yaml',
      `- id: agent/mine/echoes\n  title: The agent answers a prompt of mine.\n  spec: [TRN-10]\n  steps:\n${steps}`,
    );
  const check = (file: string, ...more: readonly string[]) => sjp('agent', '--cases', file, ...more, '--', ...AGENT);
  expect(await check(cases('    - prompt: hello\n    - expect: {type: result}'))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 passed, 0 failed'),
  });
  expect(await check(cases('    - prompt: hello\n    - expect: {type: result, is_error: true}'))).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('FAIL agent/mine/echoes'),
  });
  for (const [file, text] of [
    [cases('    - shout: hello'), 'step 1 has no verb of this side'],
    [fileOf('none.yaml', ''), 'contains no cases for agents'],
    [fileOf('odd.yaml', '- ['), 'is not YAML'],
    [join(folder, 'missing.yaml'), 'cannot be read'],
  ] as const)
    expect(await check(file), text).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
  const included = await check(cases('    - prompt: hello'), '--include', 'agent/control');
  expect(included).toMatchObject({ code: 2, stderr: expect.stringContaining('selects no cases') });
});

verifies(
  'TEST-6',
  'an expected failure does not count as a failure, and a listed case that passes counts as one',
  async () => {
    const listed = fileOf('known.yaml', '- case: agent/control/initialize\n  reason: it is silent, as this test wants');
    const silent = fileOf('mute.mjs', 'process.stdin.resume();');
    const options = [
      'agent',
      '--include',
      'agent/control/initialize',
      '--expected-failures',
      listed,
      '--timeout-scale',
    ];
    expect(await sjp(...options, '0.1', '--', process.execPath, silent)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 failed as expected'),
    });
    expect(await sjp(...options, '1', '--', ...AGENT)).toMatchObject({
      code: 6,
      stdout: expect.stringContaining('passes now. Remove the entry.'),
    });
  },
);

verifies('TEST-6', 'a host and a server are tested by command and by URL', async () => {
  const host = [process.execPath, join(suite, 'fixtures/host-adapter.mjs')];
  expect(await sjp('host', '--adapter', '--include', 'host/framing', '--', ...host)).toMatchObject({ code: 0 });
  await using server = await startOwnServer();
  const tokens = fileOf('tokens.json', JSON.stringify(server.profile));
  const run = await sjp(
    'server',
    '--url',
    server.url,
    '--tokens',
    tokens,
    '--include',
    'server/posting',
    '--reporter',
    'json',
  );
  expect(run).toMatchObject({ code: 0 });
  expect(JSON.parse(run.stdout)).toMatchObject({ side: 'server', scope: 'part', counts: { failed: 0 } });
});

test.each([
  ['an unknown case', ['agent', '--include', 'agent/no/such', '--', 'x'], 2],
  ['an unknown session', ['agent', '--random', '3', '--include', 'agent/random/seed-1-session-4', '--', 'x'], 2],
  ['an unknown reporter', ['agent', '--reporter', 'xml', '--', 'x'], 2],
  ['a profile without cases of the side', ['agent', '--profile', 'remote', '--', 'x'], 2],
  ['another version of the specification', ['agent', '--spec', '7.0', '--', 'x'], 2],
  ['no program', ['agent'], 2],
  ['a list that is not there', ['agent', '--expected-failures', 'no.yaml', '--', 'x'], 2],
  ['a prompt map that is not there', ['agent', '--prompts', 'no.json', '--', ...AGENT], 2],
  ['a program that is not there', ['agent', '--', './no-such-program'], 4],
  ['a server that is not there', ['server', '--url', 'http://127.0.0.1:1', '--tokens', 'server.yaml'], 4],
])('%s', async (_title, args, code) => {
  fileOf('server.yaml', 'tokens: { driver: the-token }\ndeclares: [sse]');
  const { stderr, ...run } = await sjp(...args);
  expect({ ...run, stderr }).toMatchObject({ code, stderr: expect.stringMatching(/\S/) });
});

test('a trace of a case is a recording that explain reads', async () => {
  const traces = join(folder, 'traces');
  await sjp('agent', '--include', 'agent/control/initialize', '--trace', traces, '--', ...AGENT);
  const file = join(traces, 'agent-control-initialize.jsonl');
  expect(readFileSync(file, 'utf8')).toContain('initialize');
  const explained = spawn(process.execPath, [SJP, 'explain', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const chunk of explained.stdout) text += String(chunk);
  expect(text).toMatch(/asks initialize[^]*answers success/);
});

test('list and explain', async () => {
  expect((await sjp('list', 'agent/control')).stdout).toMatch(/must +agent\/control\/initialize {2}CTL-/);
  expect((await sjp('explain', 'agent/control/initialize')).stdout).toMatch(/Requirements:\n {2}CTL-\d+ \(3\.6/);
  const requirement = (await sjp('explain', 'CTL-33')).stdout;
  expect(requirement).toContain('agent/control/initialize-twice (must, profile core)');
  expect((await sjp('explain', 'agent/control', 'CTL-33')).stdout.length).toBeGreaterThan(requirement.length);
  expect(await sjp('explain', 'control/initialize')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Similar cases: agent/control/initialize'),
  });
});

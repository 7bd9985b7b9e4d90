/** The action for workflows: its step run by bash, with the inputs and the outputs that a workflow would give it. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly description: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id: string;
      readonly env: Readonly<Record<string, string>>;
      readonly run: string;
    }[];
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
const [step] = action.runs.steps;
const folder = mkdtempSync(join(tmpdir(), 'action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Replaces the `npx` that would fetch the package: the arguments after `sjp` are passed to the command that is built here.
writeFileSync(
  join(folder, 'npx'),
  `#!/bin/sh\nshift 4\nexec "${process.execPath}" "${join(root, 'packages/cli/dist/main.js')}" "$@"\n`,
);
chmodSync(join(folder, 'npx'), 0o755);

/** Runs the step. Returns its exit code, its standard output and the outputs of the action. */
async function runAction(inputs: Record<string, string>) {
  const given = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, inputs[name] ?? input.default ?? '']),
  );
  const env = Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => given[input] ?? ''),
    ]),
  );
  const output = join(folder, `output-${Object.keys(inputs).length}-${Math.random()}`);
  writeFileSync(output, '');
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    const options = { cwd: folder, env: { ...env, PATH: `${folder}:${process.env['PATH']}`, GITHUB_OUTPUT: output } };
    const child = execFile('bash', ['-e', '-c', step?.run ?? 'exit 99'], options, (_error, text) =>
      resolve({ code: child.exitCode ?? -1, stdout: text }),
    );
  });
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  return { code, stdout, outputs };
}

const agent = `${process.execPath} ${join(root, 'packages/cli/dist/agent.js')}`;

test('an agent that conforms', async () => {
  const { code, stdout, outputs } = await runAction({
    side: 'agent',
    command: agent,
    profile: 'core',
    prompts: 'sjp-agent',
    jobs: '4',
    trace: 'traces',
    'timeout-scale': '2',
    badge: 'badge.json',
  });
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(outputs).toMatchObject({ failed: '0', score: '100', junit: 'conformance.xml' });
  expect(Number(outputs['passed'])).toBeGreaterThan(10);
  expect(readFileSync(join(folder, 'conformance.xml'), 'utf8')).toContain('<testsuite name="agent/turns"');
  expect(readFileSync(join(folder, 'traces/agent-turns-one-result.jsonl'), 'utf8')).toContain(
    '\\"type\\":\\"result\\"',
  );
  expect(JSON.parse(readFileSync(join(folder, 'badge.json'), 'utf8'))).toMatchObject({
    label: expect.stringContaining('agent core'),
    message: 'conforms',
  });
});

test('an agent that does not conform', async () => {
  writeFileSync(join(folder, 'silent.mjs'), 'process.stdin.resume();');
  const inputs = {
    side: 'agent',
    command: `${process.execPath} silent.mjs`,
    include: 'agent/control',
    'timeout-scale': '0.05',
  };
  const { code, stdout, outputs } = await runAction(inputs);
  expect(code).toBe(6);
  expect(outputs).toMatchObject({ passed: '0', score: '' });
  expect(stdout).toMatch(/^::error title=\d+ cases::CTL-3/m);
});

test('a command that is not there', async () => {
  const { code, outputs } = await runAction({ side: 'agent', command: 'no-such-agent' });
  expect(code).toBe(4);
  expect(outputs).toMatchObject({ passed: '0', failed: '0', score: '' });
});

test('the script does not contain inputs, and every output has its value', () => {
  expect(step?.run).not.toContain('${{');
  expect(Object.values(action.outputs).map(({ value }) => value)).toEqual(
    Object.keys(action.outputs).map((name) => `\${{ steps.run.outputs.${name} }}`),
  );
});

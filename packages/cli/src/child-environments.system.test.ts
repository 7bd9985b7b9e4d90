/** Tests of the environment variables that each command passes to the programs that it starts. */
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_VARIABLES } from '@proto/transport-stdio';
import { expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, outcomeOf, start } from './bins.test-support.ts';
import { ownVariables } from './own-variables.ts';
import { startServer } from './serve/serve.test-support.ts';
import { until } from './until.test-support.ts';

/** Variables that a program receives only if the command line names them. */
const PRIVATE = {
  NODE_OPTIONS: '--no-deprecation',
  SJP_TOKEN: 'a-secret-of-at-least-16',
  SJP_KEEPALIVE: '15s',
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_SSE_PORT: '1',
  CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'secret',
  CLAUDE_CODE_WORKER_EPOCH: '7',
};
const SETTINGS = { ANTHROPIC_API_KEY: 'key', CLAUDE_CONFIG_DIR: '/c', AWS_PROFILE: 'me', https_proxy: 'http://p' };
const OTHERS = { DATABASE_URL: 'secret', GITHUB_TOKEN: 'secret', MY_ONE: '1', MY_TWO: '2' };
const ALL = { ...PRIVATE, ...SETTINGS, ...OTHERS };
type Variables = Readonly<Record<string, string>>;

/** A program that reports its environment as a message, followed by a result. */
const REPORTING_AGENT = [
  process.execPath,
  '-e',
  `const { env } = process;
  console.log(JSON.stringify({ type: 'system', subtype: 'variables', uuid: crypto.randomUUID(), env }));
  console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: '', uuid: crypto.randomUUID() }));
  process.stdin.resume();`,
  '--',
];

function variablesIn(stdout: string): Variables {
  const line = stdout.split('\n').find((text) => text.includes('"variables"')) ?? '{}';
  return (JSON.parse(line) as { readonly env: Variables }).env;
}

const ofSjp = (env: Variables) => Object.keys(env).filter((name) => name.startsWith('SJP_'));

test('sjp run passes its own environment without the variables private to sjp', async () => {
  const { stdout } = await outcomeOf(
    start(MAIN, ['run', 'hi', '--format', 'ndjson', '--', ...REPORTING_AGENT], ALL),
    '',
  );
  const env = variablesIn(stdout);
  expect(env).toMatchObject({ ...SETTINGS, ...OTHERS });
  expect(ofSjp(env)).toEqual([]);
  // The child receives an entrypoint variable that this host sets.
  const { CLAUDE_CODE_ENTRYPOINT: outer, ...others } = PRIVATE;
  expect(env['CLAUDE_CODE_ENTRYPOINT']).not.toBe(outer);
  for (const name of Object.keys(others)) expect(env).not.toHaveProperty(name);
});

test('sjp bridge passes the same variables, and the variables by which its host describes itself', async () => {
  const aboutHost = { CLAUDE_CODE_SDK_READS_SESSION_STATE: '1', CLAUDE_AGENT_SDK_VERSION: '0.3.328' };
  const { stdout } = await outcomeOf(
    start(MAIN, ['bridge', '-', '--', ...REPORTING_AGENT], { ...ALL, ...aboutHost }),
    '',
  );
  const env = variablesIn(stdout);
  expect(env).toMatchObject({ ...SETTINGS, ...OTHERS, ...aboutHost });
  expect(ofSjp(env)).toEqual([]);
  for (const name of Object.keys(PRIVATE)) expect(env).not.toHaveProperty(name);
});

test('sjp serve passes a fixed list of variables, and the variables that --pass-env names', async () => {
  const envOf = async (flags: readonly string[], variables: Variables) => {
    const server = await startServer([...flags, '--', ...REPORTING_AGENT], variables);
    const session = await server.newSession();
    return until(async () => {
      const report = (await server.logOf(session)).find(({ subtype }) => subtype === 'variables');
      expect(report).toBeDefined();
      return (report as { readonly env: Variables }).env;
    });
  };
  const byDefault = await envOf([], ALL);
  expect(byDefault).toMatchObject({ PATH: process.env['PATH'], ...SETTINGS });
  expect(ofSjp(byDefault)).toEqual(['SJP_SESSION_ID']);
  const { CLAUDE_CODE_ENTRYPOINT: outer, ...others } = PRIVATE;
  expect(byDefault['CLAUDE_CODE_ENTRYPOINT']).not.toBe(outer);
  for (const name of Object.keys({ ...others, ...OTHERS })) expect(byDefault).not.toHaveProperty(name);

  const named = await envOf(['--pass-env', 'GITHUB_TOKEN', '--pass-env', 'MY_*,NODE_OPTIONS,NOT_SET'], ALL);
  expect(named).toMatchObject({ GITHUB_TOKEN: 'secret', MY_ONE: '1', MY_TWO: '2', NODE_OPTIONS: '--no-deprecation' });
  expect(named).not.toHaveProperty('DATABASE_URL');
  expect(named).not.toHaveProperty('NOT_SET');
  expect(ofSjp(named)).toEqual(['SJP_SESSION_ID']);

  const byVariable = await envOf([], { ...ALL, SJP_PASS_ENV: 'DATABASE_URL' });
  expect(byVariable).toMatchObject({ DATABASE_URL: 'secret' });
  const all = await envOf(['--pass-env', '*'], ALL);
  expect(all).toMatchObject({ ...SETTINGS, ...OTHERS });
  expect(ofSjp(all)).toEqual(['SJP_SESSION_ID']);
});

test('the list of sjp serve equals the table in docs/serve.md', () => {
  const page = readFileSync(new URL('../../../docs/serve.md', import.meta.url), 'utf8');
  const [, table = ''] = /\n\*?.*\*\*The environment of agents\.\*\*[^|]*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const names = Array.from(table.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
  expect(names.toSorted()).toEqual(AGENT_VARIABLES.toSorted());
});

test('sjp-agent receives the state directory of sjp and the layout of the session files, whatever the name of its file', async () => {
  const link = join(FOLDER, 'sjp-agent');
  symlinkSync(AGENT, link);
  const home = (command: readonly string[]) => {
    const args = ['run', '/bash echo "home=$SJP_HOME"', '--permissions', 'allow', '--format', 'final', ...command];
    const env = { PATH: process.env['PATH'], HOME: FOLDER, SJP_HOME: FOLDER };
    return execFileSync(MAIN, args, { env, encoding: 'utf8' });
  };
  for (const command of [[], ['--', link], ['--', process.execPath, AGENT]]) {
    expect(home(command)).toContain(`home=${FOLDER}`);
  }
  const variables = { SJP_HOME: '/state', SJP_SESSION_LAYOUT: 'published', SJP_OTHER: 'x' };
  expect(ownVariables(['sjp-agent'], variables)).toEqual({ SJP_HOME: '/state', SJP_SESSION_LAYOUT: 'published' });
  expect(ownVariables(['claude'], variables)).toEqual({});
});

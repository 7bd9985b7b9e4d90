import { flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AGENT_VARIABLES, inheritEnvironment, NETWORK_VARIABLES, pickEnvironment } from './agent-environment.ts';
import { withVariables } from './child-environment.ts';
import { spawnAgent } from './spawn-agent.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';

/** The environment that a child reports. */
async function environmentOf(options: Pick<SpawnAgentOptions, 'env'>): Promise<Readonly<Record<string, string>>> {
  const program = 'console.log(JSON.stringify({ type: "env", ...process.env }))';
  const agent = spawnAgent({ command: process.execPath, args: ['-e', program], ...options });
  let env = {};
  for await (const items of agent.incoming) for (const item of items) if (item.kind === 'message') env = item.read();
  return (env as { message: Record<string, string> }).message;
}

verifies(
  'PROC-10',
  'an agent inherits the environment without variables of an outer session, or gets a listed part, or a given one',
  async () => {
    const outer = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'outer', CLAUDE_CODE_MESSAGING_TOKEN: 'secret' };
    for (const [name, value] of Object.entries({ ...outer, SOME_NAME: 'some value' })) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());

    const byDefault = await environmentOf({});
    expect(byDefault).toMatchObject({ SOME_NAME: 'some value', PATH: process.env['PATH'] });
    const inherited = await environmentOf({ env: inheritEnvironment({ CLAUDE_CODE_ENTRYPOINT: 'mine' }) });
    expect(inherited).toEqual({ ...byDefault, CLAUDE_CODE_ENTRYPOINT: 'mine' });
    for (const name of Object.keys(outer)) expect(inherited).not.toHaveProperty(name);

    const { type: _, ...picked } = await environmentOf({ env: pickEnvironment(['some_name'], { OTHER: '2' }) });
    expect(picked).toEqual({ SOME_NAME: 'some value', OTHER: '2' });
    const { type: _type, ...replaced } = await environmentOf({ env: outer });
    expect(replaced).toEqual(outer);
  },
);

test('tokens, Node options and variables of an outer session are not inherited unless they are named', async () => {
  const forUs = [
    'SJP_TOKEN',
    'SJP_HOME',
    'Sjp_Token',
    'NODE_OPTIONS',
    'node_options',
    'AI_AGENT',
    'CLAUDECODE',
    'CLAUDE_AGENT_SDK_VERSION',
    'CLAUDE_SESSION_INGRESS_TOKEN_FILE',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION',
    'CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2',
    'CLAUDE_CODE_REMOTE',
    'CLAUDE_CODE_REMOTE_SESSION_ID',
    'CLAUDE_CODE_RESUME_REASON',
    'CLAUDE_CODE_SDK_HAS_OAUTH_REFRESH',
    'CLAUDE_CODE_SDK_READS_SESSION_STATE',
    'CLAUDE_CODE_SESSION_ACCESS_TOKEN',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_USE_CCR_V2',
    'CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR',
    'CLAUDE_CODE_WORKER_EPOCH',
  ];
  const settings = [
    'ANTHROPIC_API_KEY',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS',
    'CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_RESUME_INTERRUPTED_TURN',
    'CLAUDE_CODE_STREAM_CLOSE_TIMEOUT',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CONFIG_DIR',
    'NODE_EXTRA_CA_CERTS',
    'TRACEPARENT',
  ];
  const all = Object.fromEntries([...forUs, ...settings].map((name) => [name, 'x']));
  expect(Object.keys(inheritEnvironment({}, all))).toEqual(settings);
  expect(inheritEnvironment(all, {})).toEqual(all);

  // A Node option without an effect on the child.
  vi.stubEnv('NODE_OPTIONS', '--no-deprecation');
  vi.stubEnv('SJP_TOKEN', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const byDefault = await environmentOf({});
  expect(Object.keys(byDefault).filter((name) => /^(?:SJP_.*|NODE_OPTIONS)$/.test(name))).toEqual([]);
  const named = await environmentOf({
    env: inheritEnvironment({ NODE_OPTIONS: '--no-deprecation', SJP_TOKEN: 'mine' }),
  });
  expect(named).toEqual({ ...byDefault, NODE_OPTIONS: '--no-deprecation', SJP_TOKEN: 'mine' });
  const given = await environmentOf({ env: process.env });
  expect(given).toMatchObject({ NODE_OPTIONS: '--no-deprecation', SJP_TOKEN: 'secret' });
});

test('a variable that is set replaces all spellings of its name on Windows, and only the same spelling elsewhere', () => {
  const inherited = [['Path', 'C:\\theirs'] as const, ['OTHER', '1'] as const];
  expect(withVariables(inherited, { path: 'C:\\mine' }, 'win32')).toEqual({ path: 'C:\\mine', OTHER: '1' });
  expect(withVariables(inherited, { path: '/mine' }, 'linux')).toEqual({
    Path: 'C:\\theirs',
    OTHER: '1',
    path: '/mine',
  });
});

test('pickEnvironment takes the listed names in any case, and the given variables', () => {
  const from = { Path: 'C:\\bin', https_proxy: 'http://proxy', HOME: '/home/ada', API_KEY: 'secret', EMPTY: undefined };
  expect(pickEnvironment(['PATH', 'HTTPS_PROXY'], { API_KEY: 'mine' }, from)).toEqual({
    Path: 'C:\\bin',
    https_proxy: 'http://proxy',
    API_KEY: 'mine',
  });
  expect(pickEnvironment([], {}, from)).toEqual({});
  expect(pickEnvironment(['path'])).toEqual({ PATH: process.env['PATH'] });
});

test('a name that ends with * stands for all names with that prefix, except variables private to this process', () => {
  const session = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'secret', SJP_TOKEN: 'secret', NODE_OPTIONS: '--inspect' };
  const from = { ...session, CLAUDE_CONFIG_DIR: '/c', Claude_other: '1', MY_KEY: 'k', MY: 'm' };
  expect(pickEnvironment(['CLAUDE_*'], {}, from)).toEqual({ CLAUDE_CONFIG_DIR: '/c', Claude_other: '1' });
  expect(pickEnvironment(['MY_*', 'sjp_*'], {}, from)).toEqual({ MY_KEY: 'k' });
  expect(pickEnvironment(['*'], {}, from)).toEqual({
    CLAUDE_CONFIG_DIR: '/c',
    Claude_other: '1',
    MY_KEY: 'k',
    MY: 'm',
  });
  expect(pickEnvironment(['*', ...Object.keys(session)], {}, from)).toEqual(from);
  expect(pickEnvironment(['(X86)', 'M.', 'M*Y'], {}, from)).toEqual({});
});

test('the list for agents contains what agents need, and no other secrets', () => {
  const needed = {
    PATH: '/bin',
    HOME: '/home/ada',
    LC_ALL: 'C',
    https_proxy: 'http://proxy.example',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_PROFILE: 'me',
    GOOGLE_APPLICATION_CREDENTIALS: '/g.json',
    CLOUD_ML_REGION: 'europe',
    AZURE_CLIENT_ID: 'id',
    SystemRoot: 'C:\\Windows',
    'ProgramFiles(x86)': 'C:\\Programs',
  };
  const others = {
    DATABASE_URL: 'postgres://me:secret@db',
    GITHUB_TOKEN: 'secret',
    NPM_TOKEN: 'secret',
    OPENAI_API_KEY: 'secret',
    SSH_AUTH_SOCK: '/agent',
    LD_PRELOAD: '/x.so',
    NODE_OPTIONS: '--inspect',
    SJP_TOKEN: 'secret',
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'secret',
  };
  expect(pickEnvironment(AGENT_VARIABLES, {}, { ...others, ...needed })).toEqual(needed);
});

verifies(
  'LINK-19',
  'a child with a picked environment gets proxies and certificates in both cases, and never as arguments',
  async () => {
    const network = {
      https_proxy: 'http://me:p4ss@proxy.example:1',
      HTTP_PROXY: 'http://me:p4ss@proxy.example:2',
      no_proxy: 'a.example',
      NODE_EXTRA_CA_CERTS: '/no/such/ca.pem',
    };
    const env = pickEnvironment(['PATH', ...NETWORK_VARIABLES], {}, { ...process.env, ...network, API_KEY: 'secret' });
    const program =
      'console.log(JSON.stringify({ type: "environment", env: process.env, argv: process.argv.slice(1) }))';
    const agent = spawnAgent({ command: process.execPath, args: ['-e', program], env });
    for await (const item of flattenIncoming(agent.incoming)) {
      const { message } = item.kind === 'message' ? item.read() : {};
      expect(message).toMatchObject({ env: network, argv: [] });
      expect(message?.['env']).not.toHaveProperty('API_KEY');
    }
    const failing = spawnAgent({ command: process.execPath, args: ['-e', 'process.exit(3)'], env });
    const error = await flattenIncoming(failing.incoming)
      .next()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'lost', status: 3 });
    expect(JSON.stringify([error, String(error), await failing.closed])).not.toContain('p4ss');
    const missing = spawnAgent({ command: 'no-such-agent', env });
    expect(String(await missing.opened.catch((reason: unknown) => reason))).not.toContain('p4ss');
  },
);

import { flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/requirements';
import { expect, test } from 'vitest';
import { AGENT_VARIABLES } from './agent-variables.ts';
import { NETWORK_VARIABLES } from './network-variables.ts';
import { pickEnvironment } from './pick-environment.ts';
import { spawnAgent } from './spawn-agent.ts';

test('an environment holds what is on the list, in any case, and what is set', () => {
  const from = { Path: 'C:\\bin', https_proxy: 'http://proxy', HOME: '/home/ada', API_KEY: 'secret', EMPTY: undefined };
  expect(pickEnvironment(['PATH', 'HTTPS_PROXY'], { API_KEY: 'mine' }, from)).toEqual({
    Path: 'C:\\bin',
    https_proxy: 'http://proxy',
    API_KEY: 'mine',
  });
  expect(pickEnvironment([], {}, from)).toEqual({});
  expect(pickEnvironment(['path'])).toEqual({ PATH: process.env['PATH'] });
});

test('a name that ends with * stands for all that begin so, but not for what is private to this process', () => {
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

test('the list for agents has what they need, and no secret of anything else', () => {
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
  'R-33.1',
  'a child gets proxies and certificates with a list too, in both cases, and never as arguments',
  async () => {
    const network = {
      https_proxy: 'http://me:p4ss@proxy.example:1',
      HTTP_PROXY: 'http://me:p4ss@proxy.example:2',
      no_proxy: 'a.example',
      NODE_EXTRA_CA_CERTS: '/no/such/ca.pem',
    };
    const env = pickEnvironment(['PATH', ...NETWORK_VARIABLES], {}, { ...process.env, ...network, API_KEY: 'secret' });
    const tell = 'console.log(JSON.stringify({ type: "told", env: process.env, argv: process.argv.slice(1) }))';
    const agent = spawnAgent({ command: process.execPath, args: ['-e', tell], env });
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

import { each } from '@proto/core/transport';
import { verifies } from '@proto/requirements';
import { expect, test } from 'vitest';
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
    for await (const item of each(agent.incoming)) {
      const { message } = item.kind === 'message' ? item.read() : {};
      expect(message).toMatchObject({ env: network, argv: [] });
      expect(message?.['env']).not.toHaveProperty('API_KEY');
    }
    const failing = spawnAgent({ command: process.execPath, args: ['-e', 'process.exit(3)'], env });
    const error = await each(failing.incoming)
      .next()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'lost', status: 3 });
    expect(JSON.stringify([error, String(error), await failing.closed])).not.toContain('p4ss');
    const missing = spawnAgent({ command: 'no-such-agent', env });
    expect(String(await missing.opened.catch((reason: unknown) => reason))).not.toContain('p4ss');
  },
);

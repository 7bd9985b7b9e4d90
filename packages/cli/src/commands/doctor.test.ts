/** Tests of `sjp doctor`, run as a process, with a server started by `sjp serve` and with `sjp-agent`. */
import { expect, test } from 'vitest';
import { AGENT, MAIN, run, TOKEN_FILE } from '../bins.test-support.ts';
import { startServer } from '../serve/serve.test-support.ts';

interface Report {
  readonly problems: readonly string[];
  readonly checks: readonly { readonly name: string; readonly status: string; readonly found: string }[];
}

async function doctor(...args: string[]) {
  const { code, stdout, stderr } = await run(MAIN, ['doctor', '--json', '--port', '1', ...args]);
  return { code, stderr, report: (stdout === '' ? undefined : JSON.parse(stdout)) as Report };
}

test('nothing is wrong with a server and an agent of this project', async () => {
  const server = await startServer();
  await server.newSession();
  const { report } = await doctor('--url', server.base, '--token-file', server.tokenFile, '--agent', AGENT);
  const statuses = Object.fromEntries(report.checks.map(({ name, status }) => [name, status]));
  // Port 1 is reserved for the system; if this process is root, the port is free.
  expect(report.problems.filter((problem) => problem !== 'port-refused')).toEqual([]);
  expect(statuses).toMatchObject({ http: 'ok', token: 'ok', stream: 'ok', websocket: 'ok', 'agent stdout': 'ok' });
});

test('the problem decides about the exit code', async () => {
  const server = await startServer();
  const { code, report } = await doctor('--url', server.base, '--token-file', TOKEN_FILE);
  expect(report.problems).toContain('wrong-token');
  expect([1, 3]).toContain(code);
});

test('a file without a token is wrong usage', async () => {
  expect(await doctor('--url', 'http://127.0.0.1:1', '--token-file', '/no/such/file')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sjp doctor: cannot open '),
  });
});

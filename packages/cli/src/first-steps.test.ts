/** Tests of the first commands that a new user runs, and of the messages that help after a mistake. */
import { expect, onTestFinished, test } from 'vitest';
import { AGENT, MAIN, run, start } from './bins.test-support.ts';

const LIMIT = { timeout: 20_000 };

test.each(['http', 'https', 'HTTP'])(
  'an endpoint that is only a %s:// address causes an error that names the right scheme',
  LIMIT,
  async (scheme) => {
    const { stdout, stderr, code } = await run(MAIN, ['bridge', '-', `${scheme}://127.0.0.1:4983/secret`]);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(
      /^sjp bridge: https?:\/\/ alone is not an endpoint: write a session on a server as sse\+https?:\/\/HOST[^\n]*\n$/,
    );
    expect(stderr).not.toContain('secret');
  },
);

test.each([
  ['without an agent', [], true],
  ['with an agent', ['--', AGENT], false],
] as const)('a server %s reports whether prompts wait for a worker', LIMIT, async (_, agent, waits) => {
  const child = start(MAIN, ['serve', '--listen', '127.0.0.1:0', '--store', 'memory', ...agent]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  // The last line of the startup messages.
  await expect.poll(() => said, { timeout: 15_000 }).toContain('connect    ');
  expect(said.includes('prompts wait until a worker attaches')).toBe(waits);
});

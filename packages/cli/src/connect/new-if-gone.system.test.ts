/** Tests of `sjp connect --new-if-gone`, with `sjp connect` and `sjp serve` run as programs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, messagesIn, prompt, run } from '../bins.test-support.ts';
import { startServer } from '../serve/serve.test-support.ts';

const connect = (base: string, args: readonly string[], input = '') => run(MAIN, ['connect', base, ...args], input);
const lastLine = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
const results = (stdout: string) => messagesIn(stdout).filter(({ type }) => type === 'result');

verifies(
  'SERVER-8',
  'a session that the server does not have is `not_found`; --new-if-gone creates a new session and ignores the cursor',
  async () => {
    const server = await startServer(['--', AGENT]);
    const file = join(FOLDER, 'place-gone');
    writeFileSync(file, 'cse_gone 7\n');
    const gone = ['--session', 'cse_gone', '--cursor-file', file];
    const refused = await connect(server.base, gone, prompt('hello'));
    expect([refused.code, lastLine(refused.stderr), refused.stdout]).toMatchObject([
      4,
      { error: { code: 'not_found' } },
      '',
    ]);

    const made = await connect(server.base, [...gone, '--new-if-gone'], prompt('/echo hello'));
    expect(made.code).toBe(0);
    expect(results(made.stdout)).toMatchObject([{ result: 'hello' }]);
    const [first = ''] = made.stderr.split('\n');
    const { session } = JSON.parse(first) as { session: string };
    expect(session).toMatch(/^cse_/);
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${session} \\d+@[\\w-]+\\n$`));

    // An existing session is used, and no message is written.
    const again = await connect(
      server.base,
      ['--session', session, '--cursor-file', file, '--new-if-gone'],
      prompt('/echo two'),
    );
    expect([again.code, again.stderr, results(again.stdout)]).toMatchObject([0, '', [{ result: 'two' }]]);
  },
);

test('an archived session counts as gone, but a refused token does not', async () => {
  const server = await startServer(['--', AGENT]);
  const session = await server.newSession();
  await server.post(`/${session}/archive`);
  const made = await connect(
    server.base,
    ['--session', session, '--new-if-gone', '--since', '5'],
    prompt('/echo hello'),
  );
  expect(made.code).toBe(0);
  expect(results(made.stdout)).toMatchObject([{ result: 'hello' }]);

  const wrong = join(FOLDER, 'wrong-token-of-gone');
  writeFileSync(wrong, 'another-token-0123456789\n');
  const refused = await connect(server.base, ['--session', session, '--new-if-gone', '--token-file', wrong]);
  expect([refused.code, lastLine(refused.stderr)]).toMatchObject([3, { error: { code: 'auth_required' } }]);
});

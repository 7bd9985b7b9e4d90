import { flattenIncoming } from '@proto/core/transport';
import { expect, onTestFinished, test } from 'vitest';
import { stdio } from './stdio.ts';

const REPORT =
  'console.log(JSON.stringify({ type: "x", args: process.argv.slice(1), a: process.env.A, b: process.env.B, home: process.env.SJP_TEST_OUTER }))';

/** What a child of the given description says about its arguments and its environment. */
async function reportOf(agent: ReturnType<typeof stdio>, added?: Parameters<typeof agent>[0]): Promise<unknown> {
  const transport = agent(added);
  onTestFinished(async () => void (await transport.closed));
  for await (const item of flattenIncoming(transport.incoming)) if (item.kind === 'message') return item.read().message;
  return undefined;
}

test('a child gets the arguments of the command, then those of the host, and the variables of the host', async () => {
  const agent = stdio(process.execPath, { args: ['-e', REPORT, '--', 'own'] });
  expect(await reportOf(agent, { args: ['added'], env: { A: '1' } })).toEqual({
    type: 'x',
    args: ['own', 'added'],
    a: '1',
  });
  expect(await reportOf(agent)).toEqual({ type: 'x', args: ['own'] });
});

test('a given environment is the whole environment, with the variables of the host', async () => {
  process.env['SJP_TEST_OUTER'] = 'outer';
  onTestFinished(() => void delete process.env['SJP_TEST_OUTER']);
  const agent = stdio(process.execPath, { args: ['-e', REPORT], env: { A: 'own', B: '2' } });
  expect(await reportOf(agent, { env: { A: '1' } })).toEqual({ type: 'x', args: [], a: '1', b: '2' });
});

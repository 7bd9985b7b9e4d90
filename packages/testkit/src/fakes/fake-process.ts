import { parseArgs } from 'node:util';

import { runFakeProgram } from './fake-program.ts';

// The executable that `installFakeAgent` creates starts this program: fake-process.js agent SCRIPT [--seed N] [--chaos=KINDS] -- FLAGS.
const dashes = process.argv.indexOf('--');
const own = dashes < 0 ? process.argv.slice(2) : process.argv.slice(2, dashes);
const words = dashes < 0 ? [] : process.argv.slice(dashes + 1);
const hasPlainChaos = own.includes('--chaos');
const { values, positionals } = parseArgs({
  args: own.filter((word) => word !== '--chaos'),
  options: { seed: { type: 'string' }, chaos: { type: 'string' } },
  allowPositionals: true,
});
const [side, file = ''] = positionals;
const options = { seed: Number(values.seed ?? 1), chaos: values.chaos ?? hasPlainChaos };
process.exitCode = await runFakeProgram(
  side === 'host' ? 'host' : 'agent',
  file,
  { name: 'fake', ...options, words, agentWords: ['agent'] },
  process,
);

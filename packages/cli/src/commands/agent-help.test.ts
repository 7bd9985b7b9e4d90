import { expect, test } from 'vitest';
import { AGENT, MAIN, run, SHIM } from '../bins.test-support.ts';

const LIMIT = { timeout: 20_000 };

test.each([
  ['sjp-agent', AGENT, ['--help'], 'sjp-agent', '--module <file>'],
  ['sjp agent', MAIN, ['agent', '-h'], 'sjp-agent', '--module <file>'],
  ['sjp-shim', SHIM, ['--help'], 'sjp-shim', 'SJP_SHIM_URL'],
  ['sjp shim', MAIN, ['shim', '--help'], 'sjp-shim', 'SJP_SHIM_TOKEN_FILE'],
])('%s --help shows its usage and a description of each flag', LIMIT, async (_, bin, args, name, own) => {
  const { stdout, stderr, code } = await run(bin, args);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toContain(`Usage: ${name} [options] [prompt]\n`);
  expect(stdout).toContain(own);
  const flags = stdout.split('\n').filter((line) => line.startsWith('  -'));
  expect(flags.length).toBeGreaterThan(50);
  // In commander's help, a flag contains only single spaces, and its description follows after two or more spaces.
  expect(flags.filter((line) => !/^  \S.*? {2,}\S/.test(line))).toEqual([]);
});

test('the shim has no --module flag', LIMIT, async () => {
  expect((await run(SHIM, ['--help'])).stdout).not.toContain('--module');
});

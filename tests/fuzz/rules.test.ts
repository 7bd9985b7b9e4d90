/** Command lines that permission rules allow run only what the rules allow. `pnpm fuzz rules` tries many more lines. */
import { expect, test } from 'vitest';
import { createRandom } from './rules/random.ts';
import { randomLine } from './rules/random-line.ts';
import { runRules } from './rules/run-rules.ts';
import { createShellOracle, shellsHere } from './rules/shell-oracle.ts';

const LIMIT_MS = 240_000;
const until = Number.POSITIVE_INFINITY;

test('no line that rules allow runs a program that they deny, or one that they do not allow', {
  timeout: LIMIT_MS,
}, async () => {
  const { lines, findings } = await runRules({ seed: 1, until, lines: 4000 });
  expect(findings).toEqual([]);
  expect(lines).toBe(4000);
});

test('there is a shell to compare with, and it runs the programs of the fuzzer', async () => {
  expect(shellsHere()).toContain('sh');
  using oracle = createShellOracle();
  for (const shell of shellsHere()) {
    expect([...(await oracle.run(shell, 'git x; >/dev/null rm x'))].sort()).toEqual(['git', 'rm']);
    expect([...(await oracle.run(shell, 'true'))]).toEqual([]);
  }
});

test('many of the random lines run a program that the rules deny', { timeout: LIMIT_MS }, async () => {
  using oracle = createShellOracle();
  const random = createRandom(7);
  let count = 0;
  for (let at = 0; at < 100; at++) if ((await oracle.run('sh', randomLine(random))).has('rm')) count++;
  expect(count).toBeGreaterThan(20);
});

test('a seed gives the same lines again', () => {
  const lines = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 100 }, () => randomLine(random));
  };
  expect(lines(1)).toEqual(lines(1));
  expect(lines(1)).not.toEqual(lines(2));
});

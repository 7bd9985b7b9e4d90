/** Lets Spin go through all states of the model of several nodes, as `pnpm model:lease` does. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/lease-model.mjs', import.meta.url));
const TIMEOUT_MS = 600_000;

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;
const canRun = isThere('spin') && isThere('cc');

test.skipIf(canRun || process.env['CI'] === undefined)('Spin and a C compiler are installed', () => {
  expect(canRun).toBe(true);
});

test.skipIf(!canRun)(
  'the promises hold in every state of the model, and each protection that is left out is missed',
  () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [, states] = /^correct: every promise holds in (\d+) states/m.exec(stdout) ?? [];
    // Spin must search the whole state space. After a mistake in the model, only a small part of the space might be left.
    expect(Number(states)).toBeGreaterThan(1_000_000);
    expect(stdout.match(/^[A-Z_]+: found, /gm)?.length).toBeGreaterThanOrEqual(8);
  },
  TIMEOUT_MS,
);

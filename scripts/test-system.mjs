// Builds, and runs the long tests: the long examples, the system tests of the packages (`*.system.test.ts`), the suites of tests/tiers.ts, our
// packages in Bun and in Deno, and the planted faults. A step that fails does not stop the other steps.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { LONG_EXAMPLES, SYSTEM_RESULTS } from './tiers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(SYSTEM_RESULTS, { force: true });

const steps = [
  ['scripts/pnpm.mjs', 'exec', 'turbo', 'run', 'build'],
  [
    'scripts/pnpm.mjs',
    'exec',
    'turbo',
    'run',
    'example',
    ...LONG_EXAMPLES.map((name) => `--filter=./examples/${name}`),
  ],
  ['scripts/runtimes.mjs', '--fetch'],
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.system.ts'],
  ['scripts/faults.mjs'],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, RUNTIMES: '1' },
  });
  if (status === 0) continue;
  console.error(`failed: node ${step.join(' ')}`);
  process.exitCode = 1;
}

// Builds, runs every test of every package but the long ones of `pnpm test:system`, and every example, then compares the requirements with
// the results. A row that only a long test decides is no problem here.
// A failing package does not keep the others from running.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { resultFiles } from './count-tests.mjs';
import { pnpm } from './pnpm.mjs';

// What an earlier run left must not pass for this one.
for (const file of resultFiles('fast')) rmSync(file, { force: true });

// Tests often wait for processes that they have started, so more packages are tested at a time than there are cores.
const concurrency = Math.max(3, Math.ceil(availableParallelism() * 1.5));
const options = [
  `--concurrency=${concurrency}`,
  '--continue=dependencies-successful',
  '--log-order=grouped',
  '--log-prefix=none',
];
const tests = pnpm(['exec', 'turbo', 'run', 'build', 'test', 'example', ...options]);
const requirements = spawnSync(process.execPath, ['packages/requirements/report.mjs', '--partial'], {
  cwd: new URL('..', import.meta.url),
  stdio: ['ignore', 'inherit', 'inherit'],
});

process.exitCode = tests || (requirements.status ?? 1);

// Builds, runs every example and every test but the long ones of `pnpm test:system`, and then compares the requirements with the results. A row that
// only a long test decides is no problem here. A failing package does not stop the other packages.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { resultFiles } from './count-tests.mjs';
import { pnpm } from './pnpm.mjs';

// The results of an earlier run must not be taken for results of this one.
for (const file of resultFiles('fast')) rmSync(file, { force: true });

// Tests often wait for processes that they have started, so more packages than cores are tested at a time.
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

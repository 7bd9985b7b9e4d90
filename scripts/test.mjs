// Builds, runs every test and example of every package, then compares the requirements with the results.
// A failing package does not keep the others from running.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

import { resultFiles } from './count-tests.mjs';
import { pnpm } from './pnpm.mjs';

// What an earlier run left must not pass for this one.
for (const file of resultFiles()) rmSync(file, { force: true });

const options = ['--continue=dependencies-successful', '--log-order=grouped', '--log-prefix=none'];
const tests = pnpm(['exec', 'turbo', 'run', 'build', 'test', 'example', ...options]);
const requirements = spawnSync(process.execPath, ['packages/requirements/report.mjs'], {
  cwd: new URL('..', import.meta.url),
  stdio: ['ignore', 'inherit', 'inherit'],
});

process.exitCode = tests || (requirements.status ?? 1);

// Kills, suspends and resumes server processes that share a PostgreSQL database, and restarts the database: node scripts/nodes.mjs [--seed N]
// [--schedules M]. Build the packages first. Exits with 1 if a schedule breaks a promise, and prints its seed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, schedules: { type: 'string', default: '200' } },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,8}$/.test(value)) continue;
  console.error(`--${name} takes a whole number from 1, not "${value}"`);
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  [
    'scripts/pnpm.mjs',
    '--filter',
    '@proto/tests',
    'run',
    'test:system',
    'nodes/processes',
    '-t',
    'kills, stops',
    '--reporter=verbose',
  ],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, SEED: values.seed, SCHEDULES: values.schedules },
  },
);
process.exitCode = status ?? 1;

// Installs the versions of the lockfile. Chooses new versions only if the lockfile is missing.
import { existsSync } from 'node:fs';

import { pnpm } from './pnpm.mjs';

const lockfile = new URL('../pnpm-lock.yaml', import.meta.url);

console.log('Installing the dependencies');
process.exitCode = pnpm([
  'install',
  existsSync(lockfile) ? '--frozen-lockfile' : '--no-frozen-lockfile',
  '--loglevel=warn',
]);

// Installs what the lockfile says, and nothing else. Only without a lockfile are versions chosen anew.
import { existsSync } from 'node:fs';

import { pnpm } from './pnpm.mjs';

const lockfile = new URL('../pnpm-lock.yaml', import.meta.url);

console.log('Installing the dependencies');
process.exitCode = pnpm([
  'install',
  existsSync(lockfile) ? '--frozen-lockfile' : '--no-frozen-lockfile',
  '--loglevel=warn',
]);

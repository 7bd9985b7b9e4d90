#!/usr/bin/env node
import { shim } from './shim/run-shim.ts';

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
// Node 20 may spin for ever while it releases handles after a natural end (see main.ts).
process.once('beforeExit', (code) => process.exit(code));
process.exitCode = await shim(process.argv.slice(2));

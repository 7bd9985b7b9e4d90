#!/usr/bin/env node
import { shim } from './shim/run-shim.ts';

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
process.exitCode = await shim(process.argv.slice(2));

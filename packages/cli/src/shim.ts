#!/usr/bin/env node
import { runShimProgram } from '@proto/shim/program';

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
process.exitCode = await runShimProgram(process.argv.slice(2), process);

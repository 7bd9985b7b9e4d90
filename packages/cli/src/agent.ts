#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.ts';

keepCompiledCode();
// Imported dynamically, because static imports would be compiled before the call above runs.
const { runAgentProgram } = await import('@proto/reference-agent/program');
await runAgentProgram(process.argv.slice(2));

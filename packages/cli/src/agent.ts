#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.ts';

keepCompiledCode();
// Loaded after that: what is imported above is compiled before this line runs.
const { runAgentProgram } = await import('@proto/reference-agent/program');
await runAgentProgram(process.argv.slice(2));

#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.ts';

keepCompiledCode();
// Loaded after that: what is imported above is compiled before this line runs.
const { runAgent } = await import('./agent/run-agent.ts');
await runAgent(process.argv.slice(2));

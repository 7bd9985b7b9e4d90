#!/usr/bin/env node
import { runAgent } from './agent/run-agent.ts';

await runAgent(process.argv.slice(2));

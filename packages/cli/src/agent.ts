#!/usr/bin/env node
import { agent } from './commands/agent.ts';

await agent(process.argv.slice(2));

#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';

const program = new Command('sjp').description('Run, show and check stream-json agents.').version('0.0.0');

program
  .command('agent')
  .description('be the reference agent; takes the flags that hosts pass to an agent')
  .helpOption(false)
  .allowUnknownOption()
  .allowExcessArguments()
  .argument('[args...]')
  .action(async (args: string[]) => {
    const { agent } = await import('./commands/agent.ts');
    await agent(args);
  });

program
  .command('demo')
  .description('run a whole session: a host, an agent as its child, and what they say to each other')
  .action(async () => {
    const { demo } = await import('./commands/demo.ts');
    await demo(fileURLToPath(new URL('agent.js', import.meta.url)));
  });

await program.parseAsync();

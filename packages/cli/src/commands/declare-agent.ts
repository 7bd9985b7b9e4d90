import type { Command } from 'commander';

/** Adds `sjp agent` to the commands; `stay` makes the process outlive who reads its output. */
export function declareAgent(program: Command, stay: () => void): void {
  program
    .command('agent')
    .description('be the reference agent, or that of --module FILE; takes the flags that hosts pass to an agent')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .usage('[options] [prompt]')
    .argument('[args...]')
    .addHelpText('after', '\nsjp agent --help lists the flags.')
    .action(async (args: string[]) => {
      const { agent } = await import('./agent.ts');
      stay();
      await agent(args);
    });
}

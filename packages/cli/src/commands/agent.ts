import type { Command } from 'commander';

/** Adds `sjp agent`, which is `sjp-agent`. `stay` lets the process run on when the reader of its output has gone. */
export function declareAgent(program: Command, stay: () => void): void {
  program
    .command('agent')
    .description('be the reference agent, or the agent of --module FILE; takes the flags that hosts pass to an agent')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .usage('[options] [prompt]')
    .argument('[args...]')
    .addHelpText('after', '\nsjp agent --help lists the flags.')
    .action(async (args: string[]) => {
      const { runAgent } = await import('../agent/run-agent.ts');
      stay();
      await runAgent(args);
    });
}

/** Adds `sjp shim`, which is `sjp-shim`. */
export function declareShim(program: Command): void {
  program
    .command('shim')
    .description('stand in for an agent that runs elsewhere; takes the flags that hosts pass to an agent')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .usage('[options] [prompt]')
    .argument('[args...]')
    .addHelpText('after', '\nsjp shim --help lists the flags.')
    .action(async (args: string[]) => {
      const { shim } = await import('../shim/run-shim.ts');
      process.exitCode = await shim(args);
    });
}

import type { Command } from 'commander';

/** Adds `sjp shim` to the commands: the same as `sjp-shim`. */
export function declareShim(program: Command): void {
  program
    .command('shim')
    .description('stand for an agent that is elsewhere; takes the flags that hosts pass to an agent')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .usage('[options] [prompt]')
    .argument('[args...]')
    .addHelpText('after', '\nsjp shim --help lists the flags.')
    .action(async (args: string[]) => {
      const { shim } = await import('./shim.ts');
      process.exitCode = await shim(args);
    });
}

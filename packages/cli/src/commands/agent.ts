import type { Command } from 'commander';

export function declareAgent(program: Command, stay: () => void): void {
  program
    .command('agent')
    .description(
      'run the reference agent, or the agent of --module FILE; accepts the flags that hosts pass to an agent',
    )
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .usage('[options] [prompt]')
    .argument('[args...]')
    .addHelpText('after', '\nsjp agent --help lists the flags.')
    .action(async (args: string[]) => {
      const { runAgentProgram } = await import('@proto/reference-agent/program');
      stay();
      await runAgentProgram(args);
    });
}

import type { Command } from 'commander';

const EXAMPLES = `Examples:
  sjp run "fix the failing test" -- sjp cassette record fix.jsonl -- claude
  sjp run "fix the failing test" -- sjp cassette play fix.jsonl -- claude
`;

/** Adds `sjp cassette`. `agentArgv` is the command line after `--`. */
export function declareCassette(program: Command, agentArgv: readonly string[]): void {
  const cassette = program
    .command('cassette')
    .description('record what an agent says and what it asks of its model, and play it without a network')
    .addHelpText('before', EXAMPLES);
  for (const [name, description] of [
    ['record', 'record a session of the host at stdin and stdout, and what the agent asks of the Messages API'],
    ['play', 'join the host at stdin and stdout with an agent whose Messages API is a cassette'],
  ] as const) {
    cassette
      .command(name)
      .description(description)
      .usage('FILE -- AGENT...')
      .argument('<file>', name === 'record' ? 'the cassette that is written' : 'the cassette')
      .addHelpText('before', EXAMPLES)
      .addHelpText(
        'after',
        name === 'record'
          ? '\nThe API is that of ANTHROPIC_BASE_URL, else of the vendor. Exits with the code of the agent.'
          : '\nExits with 6 when the agent asks for what the cassette does not have, else with the code of the agent.',
      )
      .action(async (file: string) => {
        if (agentArgv.length === 0)
          program.error(`error: give the agent after --, such as: sjp cassette ${name} ${file} -- claude`);
        const { playSession, recordSession } = await import('../cassette/run-cassette.ts');
        process.exitCode = await (name === 'record' ? recordSession : playSession)(file, agentArgv, process);
      });
  }
}

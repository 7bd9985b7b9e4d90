import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReplayOptions } from '@proto/terminal/replay';

export function declareReplay(program: Command, agentArgv: readonly string[], stay: () => void): void {
  program
    .command('replay')
    .description('play one side of a recording: the agent to a host at stdin and stdout, or the host to an agent')
    .usage('FILE [options] [-- AGENT...]')
    .argument('<file>', 'a recording from `sjp run --record` or `sjp bridge --tap`')
    .addOption(new Option('--as <side>', 'the side to play').choices(['agent', 'host']).default('agent'))
    .addOption(
      new Option('--speed <factor>', 'the speed, as a multiple of the recorded speed; max plays without pauses')
        .argParser(speedOf)
        .default(Infinity, 'max'),
    )
    .addOption(
      new Option(
        '--match <mode>',
        'how closely the live side must match: strict (exactly), ids (only ids may differ), shape (the same kinds of messages)',
      )
        .choices(['strict', 'ids', 'shape'])
        .default('ids'),
    )
    // Hosts pass agent flags. A recording ignores them.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      'before',
      `Examples:
  sjp run "fix the failing test" -- sjp replay fix.jsonl
  sjp replay fix.jsonl --as host --match shape -- claude --output-format stream-json --verbose --input-format stream-json --include-partial-messages --permission-prompt-tool=stdio
`,
    )
    .addHelpText(
      'after',
      '\nWithout a command, the other side is at stdin and stdout. To read a recording, use `sjp explain` or `sjp inspect`.\nThe command of an agent is run exactly as written. For a recording from `sjp run`, the command needs the flags of the example.\nExits with 6 if the live side differs from the recording; stderr shows the difference.',
    )
    .action(async (file: string, options: Pick<ReplayOptions, 'as' | 'speed' | 'match'>) => {
      const [{ replayFile }, { ownVariables }] = await Promise.all([
        import('@proto/terminal/replay'),
        import('../own-variables.ts'),
      ]);
      stay();
      const variables = (commandLine: readonly string[]) => ownVariables(commandLine, process.env);
      process.exitCode = await replayFile(file, agentArgv, { ...options, name: 'sjp replay', variables }, process);
    });
}

function speedOf(text: string): number {
  const factor = text === 'max' ? Infinity : Number(text);
  if (!(factor > 0)) throw new InvalidArgumentError('The speed must be "max" or a number such as 1 or 0.5.');
  return factor;
}

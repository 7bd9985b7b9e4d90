import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReplayOptions } from '@proto/terminal/replay';

/** Adds `sjp replay`. `agentArgv` is the command line after `--`. `stay` keeps the process running after the reader of its output has disconnected. */
export function declareReplay(program: Command, agentArgv: readonly string[], stay: () => void): void {
  program
    .command('replay')
    .description('play one side of a recording: the agent to a host at stdin and stdout, or the host to an agent')
    .usage('FILE [options] [-- AGENT...]')
    .argument('<file>', 'a recording of `sjp run --record` or `sjp bridge --tap`')
    .addOption(new Option('--as <side>', 'the side to play').choices(['agent', 'host']).default('agent'))
    .addOption(
      new Option('--speed <factor>', 'how many times as fast as the recording; max plays without pauses')
        .argParser(speedOf)
        .default(Infinity, 'max'),
    )
    .addOption(
      new Option(
        '--match <mode>',
        'how the live side must match: strict (exactly), ids (with its own ids), shape (the same kinds of messages)',
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
      '\nWithout a command, the other side is at stdin and stdout. To read a recording, use `sjp explain` or `sjp inspect`.\nThe command of an agent is run exactly as written. To follow a recording of `sjp run` it needs the flags of the example.\nExits with 6 when the live side differs from the recording; stderr shows how.',
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
  if (!(factor > 0)) throw new InvalidArgumentError('A speed is a number such as 1 or 0.5, or max.');
  return factor;
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReplayFlags } from './replay.ts';

/** Adds `sjp replay` to the commands; `agentArgv` is what stands behind `--`, and `stay` makes the process outlive who reads its output. */
export function declareReplay(program: Command, agentArgv: readonly string[], stay: () => void): void {
  program
    .command('replay')
    .description('play one side of a recording: the agent to a host at stdin and stdout, or the host to an agent')
    .usage('FILE [options] [-- AGENT...]')
    .argument('<file>', 'what `sjp run --record` or `sjp bridge --tap` has written')
    .addOption(new Option('--as <side>', 'who is played').choices(['agent', 'host']).default('agent'))
    .addOption(
      new Option('--speed <factor>', 'how many times as fast as it was; max is at once')
        .argParser(speedOf)
        .default(Infinity, 'max'),
    )
    .addOption(
      new Option('--match <mode>', 'how alike the live side has to be: to the letter, with its own ids, or in kind')
        .choices(['strict', 'ids', 'shape'])
        .default('ids'),
    )
    // The flags that hosts pass to an agent mean nothing to a recorded one.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      'before',
      `Examples:
  sjp run "fix the failing test" -- sjp replay fix.jsonl
  sjp replay fix.jsonl --as host --match shape -- claude --output-format stream-json --input-format stream-json --verbose
`,
    )
    .addHelpText('after', '\nExits with 6 when the live side does something else than was recorded; stderr shows what.')
    .action(async (file: string, options: ReplayFlags) => {
      const { replayFile } = await import('./replay.ts');
      stay();
      process.exitCode = await replayFile(file, agentArgv, options);
    });
}

function speedOf(text: string): number {
  const factor = text === 'max' ? Infinity : Number(text);
  if (!(factor > 0)) throw new InvalidArgumentError('It is a number such as 1 or 0.5, or max.');
  return factor;
}

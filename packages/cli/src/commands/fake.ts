import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FakeProgramOptions, FakeSide } from '@proto/testkit/fakes';

type Flags = Pick<FakeProgramOptions, 'asCli' | 'chaos' | 'seed' | 'clock'>;

export function declareFake(program: Command, words: readonly string[]): void {
  const fake = program.command('fake').description('play a scripted agent or host to the program that you test');
  declareSide(fake, 'agent', words)
    .usage('SCRIPT [options] [-- COMMAND...]')
    .description('play an agent to a host at stdin and stdout')
    .addOption(
      new Option(
        '--as-cli [name]',
        'install the fake under the name of a real agent (default: claude) in a new folder',
      ),
    )
    .addHelpText(
      'before',
      'Examples:\n  sjp run "Hello" -- sjp fake agent turn.yaml\n  sjp fake agent turn.yaml --as-cli -- npm test\n',
    )
    .addHelpText(
      'after',
      '\nWith --as-cli and a command, the new folder is first on the PATH of the command, and is removed when the command ends.\nWithout a command, the path of the folder is written to stdout, and you must remove the folder yourself.',
    );
  declareSide(fake, 'host', words)
    .usage('SCRIPT [options] [-- AGENT...]')
    .description('play a host to an agent: to the given command, or to the agent at stdin and stdout')
    .addHelpText(
      'before',
      'Example:\n  sjp fake host prompts.yaml -- my-agent --input-format stream-json --output-format stream-json --verbose --permission-prompt-tool stdio\n',
    )
    .addHelpText(
      'after',
      '\nThe command of an agent is run exactly as written, so it needs the flags of the protocol.',
    );
}

function declareSide(fake: Command, side: FakeSide, words: readonly string[]): Command {
  return (
    fake
      .command(side)
      .argument('<script>', 'steps in YAML, or a recording')
      // Hosts pass agent flags. A fake ignores them.
      .allowUnknownOption()
      .allowExcessArguments()
      .addOption(
        new Option(
          '--chaos [kinds]',
          'disturb the output: delay,split,duplicate,unknown,noise,death (default: all but death)',
        ),
      )
      .option('--seed <number>', 'the seed of the random numbers: the same seed gives the same run', seedOf, 1)
      .addOption(
        new Option('--clock <clock>', 'whether waits in the script take real time')
          .choices(['virtual', 'real'])
          .default('virtual'),
      )
      .addHelpText('after', '\nExits with 6 if the other side does not do what the script expects.')
      .action(async (script: string, options: Flags, { args }: Command) => {
        const [{ runFakeProgram }, { messageFor, refuseFile }] = await Promise.all([
          import('@proto/testkit/fakes'),
          import('@proto/terminal/process'),
        ]);
        const refusal: unknown = await refuseFile(script, 'sjp fake', 'text').catch((error: unknown) => error);
        if (refusal instanceof Error) {
          process.stderr.write(`sjp fake: ${messageFor(refusal)}\n`);
          process.exitCode = 2;
          return;
        }
        const rest = { name: 'sjp fake', words: [...args.slice(1), ...words], agentWords: ['fake', 'agent'] };
        process.exitCode = await runFakeProgram(side, script, { ...options, ...rest }, process);
      })
  );
}

function seedOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('The seed must be a whole number.');
  return Number(text);
}

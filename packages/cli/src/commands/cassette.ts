import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CassetteOptions, PlayOptions } from '@proto/terminal/cassettes';
import { columnsOf, ignoreOption } from '../command-line.ts';

interface PlayFlags extends Omit<PlayOptions, 'name' | 'variables'> {
  readonly liveHost?: boolean;
  readonly stale?: boolean;
}

const EXAMPLES = `Examples:
  sjp run "fix the failing test" -- sjp cassette record fix.jsonl -- claude
  sjp cassette play fix.jsonl -- claude
  sjp cassette play fix.jsonl --deny 14 -- claude
  sjp cassette play tapes/*.jsonl --stale -- claude
  sjp run "fix the failing test" -- sjp cassette play fix.jsonl --live-host -- claude
`;

/** Adds `sjp cassette`. `agentArgv` is the command line after `--`. */
export function declareCassette(program: Command, agentArgv: readonly string[]): void {
  const cassette = program
    .command('cassette')
    .description('record what an agent says and what it asks of its model, and play it without a network')
    .addHelpText('before', EXAMPLES);
  declareRecord(cassette, program, agentArgv);
  declarePlay(cassette, program, agentArgv);
}

function declareRecord(cassette: Command, program: Command, agentArgv: readonly string[]): void {
  cassette
    .command('record')
    .description('record a session of the host at stdin and stdout, and what the agent asks of the Messages API')
    .usage('FILE -- AGENT...')
    .argument('<file>', 'the cassette to write')
    .addHelpText('before', EXAMPLES)
    .addHelpText(
      'after',
      `
The API is at ANTHROPIC_BASE_URL, else at the address of the vendor, through the proxy of HTTPS_PROXY. The file does not contain the key.
Exits with the code of the agent.`,
    )
    .action(async (file: string) => {
      if (agentArgv.length === 0) program.error(`error: ${noAgent('record', file)}`);
      const { recordSession } = await import('@proto/terminal/cassettes');
      process.exitCode = await recordSession(file, agentArgv, await settingsOf('record'), process);
    });
}

function declarePlay(cassette: Command, program: Command, agentArgv: readonly string[]): void {
  cassette
    .command('play')
    .description('play the host and the Messages API of a cassette to an agent, and write what is different')
    .usage('FILE... [options] -- AGENT...')
    .argument('<file...>', 'the cassette; with --stale several of them')
    .addOption(frames('--deny <frame>', 'deny the permission of that frame of `sjp explain`; give it once for each'))
    .addOption(frames('--allow <frame>', 'allow the permission of that frame of `sjp explain`; give it once for each'))
    .option('--stale', 'only list the cassettes that the agent does not follow any more')
    .addOption(
      new Option('--live-host', 'play the API only: the host is at stdin and stdout').conflicts([
        'deny',
        'allow',
        'stale',
        'ignore',
        'json',
      ]),
    )
    .addOption(ignoreOption())
    .option('--json', 'write NDJSON, one object per difference or cassette; the last line is the result')
    .addOption(new Option('--color <when>', 'color the text').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(new Option('--width <columns>', 'the columns that a line may take').argParser(columnsOf))
    .addHelpText('before', EXAMPLES)
    .addHelpText(
      'after',
      `
If you give no arguments for the agent, the recorded ones are used. The tools of the agent really run: play only cassettes that you trust.
Exits with 6 when the agent asks for what the cassette does not have, or the session differs. Otherwise --live-host exits with the code of
the agent.`,
    )
    .action(async (files: readonly string[], { liveHost, stale, ...options }: PlayFlags) => {
      const [file = '', ...more] = files;
      if (agentArgv.length === 0) program.error(`error: ${noAgent('play', file)}`);
      if (more.length > 0 && stale !== true) program.error('error: give one cassette, or --stale for several');
      process.exitCode = await play();

      async function play(): Promise<number> {
        const [{ findStaleCassettes, playSession, playToHost }, settings] = await Promise.all([
          import('@proto/terminal/cassettes'),
          settingsOf('play'),
        ]);
        if (stale === true) return findStaleCassettes(files, agentArgv, { ...options, ...settings }, process);
        if (liveHost === true) return playToHost(file, agentArgv, settings, process);
        return playSession(file, agentArgv, { ...options, ...settings }, process);
      }
    });
}

async function settingsOf(command: string): Promise<CassetteOptions> {
  const { ownVariables } = await import('../own-variables.ts');
  return { name: `sjp cassette ${command}`, variables: (words) => ownVariables(words, process.env) };
}

function frames(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly number[] | undefined) => {
    const frame = Number(text);
    if (!Number.isSafeInteger(frame) || frame < 1) throw new InvalidArgumentError('A frame is a number from 1.');
    return [...(before ?? []), frame];
  });
}

function noAgent(name: string, file: string): string {
  return `give the agent after --, such as: sjp cassette ${name} ${file} -- claude`;
}

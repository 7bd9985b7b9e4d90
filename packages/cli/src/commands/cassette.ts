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

export function declareCassette(program: Command, agentArgv: readonly string[]): void {
  const cassette = program
    .command('cassette')
    .description('record the messages of an agent and its requests to the model, and play them without a network')
    .addHelpText('before', EXAMPLES);
  declareRecord(cassette, program, agentArgv);
  declarePlay(cassette, program, agentArgv);
}

function declareRecord(cassette: Command, program: Command, agentArgv: readonly string[]): void {
  cassette
    .command('record')
    .description(
      'record the session of the host at stdin and stdout, and the requests of the agent to the Messages API',
    )
    .usage('FILE -- AGENT...')
    .argument('<file>', 'the cassette to write')
    .addHelpText('before', EXAMPLES)
    .addHelpText(
      'after',
      `
Requests go to ANTHROPIC_BASE_URL (default: the API of the vendor), through the proxy in HTTPS_PROXY. The file does not contain the API key.
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
    .description('play the host and the Messages API of a cassette to an agent, and write the differences')
    .usage('FILE... [options] -- AGENT...')
    .argument('<file...>', 'the cassette; with --stale there may be several')
    .addOption(frames('--deny <frame>', 'deny the permission request in this frame of `sjp explain`; repeatable'))
    .addOption(frames('--allow <frame>', 'allow the permission request in this frame of `sjp explain`; repeatable'))
    .option('--stale', 'only list the cassettes that the agent no longer follows')
    .addOption(
      new Option('--live-host', 'play only the Messages API; the host is at stdin and stdout').conflicts([
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
    .addOption(new Option('--width <columns>', 'the maximum width of a line, in columns').argParser(columnsOf))
    .addHelpText('before', EXAMPLES)
    .addHelpText(
      'after',
      `
If you give no arguments for the agent, the recorded ones are used. The tools of the agent really run: play only cassettes that you trust.
Exits with 6 if the agent makes a request that is not in the cassette, or if the session differs. Otherwise --live-host exits with the code of
the agent.`,
    )
    .action(async (files: readonly string[], { liveHost, stale, ...options }: PlayFlags) => {
      const [file = '', ...more] = files;
      if (agentArgv.length === 0) program.error(`error: ${noAgent('play', file)}`);
      if (more.length > 0 && stale !== true) program.error('error: give one cassette, or add --stale for several');
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
    if (!Number.isSafeInteger(frame) || frame < 1)
      throw new InvalidArgumentError('The frame number must be an integer of at least 1.');
    return [...(before ?? []), frame];
  });
}

function noAgent(name: string, file: string): string {
  return `give the agent after --, such as: sjp cassette ${name} ${file} -- claude`;
}

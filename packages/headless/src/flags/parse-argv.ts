import { Command, CommanderError, Option } from 'commander';
import { problemOf, warningsAbout } from './check-options.ts';
import type { ReadValue } from './flag-values.ts';
import { FLAG_WORDS } from './flag-words.ts';
import { FLAGS } from './flags.ts';
import type { FlagOptions, HeadlessOptions } from './options.ts';

/** What a command line asks for: to run, to explain the flags, or to print a text and exit. */
export type ParsedArgv =
  | { readonly kind: 'run'; readonly options: HeadlessOptions; readonly warnings: readonly string[] }
  | { readonly kind: 'explain' }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'refuse'; readonly text: string };

/** The texts of `--help` for one program, beside the flags that all agents have. */
export interface ProgramHelp {
  /** The name of the program, such as `my-agent`. Default `agent`. */
  readonly name?: string;
  /** One sentence about the program. */
  readonly description?: string;
  /** The flags that the program reads itself, with their texts. */
  readonly ownFlags?: Readonly<Record<string, string>>;
  /** The text after the flags. */
  readonly after?: string;
}

/** Reads the arguments after the name of the program: `--flag value` and `--flag=value`. Never throws. */
export function parseArgv(argv: readonly string[], version: string, help: ProgramHelp = {}): ParsedArgv {
  const { name = 'agent', description = '', ownFlags = {}, after = '' } = help;
  let printed = '';
  const program = new Command(name)
    .description(description)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: (text) => (printed += text) })
    .version(version, '-v, --version', 'tell the version')
    .helpOption('-h, --help', 'tell this')
    .argument('[prompt]', 'what to ask; what stands on stdin is added')
    .option('--explain-flags', 'tell which flags are taken without effect, or refused')
    .addHelpText('after', after === '' ? '' : `\n${after}`)
    .allowExcessArguments(false);
  for (const [flags, words] of Object.entries(ownFlags)) program.option(flags, words);
  for (const [member, { notation, read }] of Object.entries(FLAGS)) {
    const option = new Option(notation, FLAG_WORDS[member as keyof FlagOptions]);
    program.addOption(read === undefined ? option : option.argParser<unknown>(read as ReadValue<unknown>));
  }
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? { kind: 'print', text: printed } : { kind: 'refuse', text: oneLine(printed) };
  }
  const { explainFlags, ...flags } = program.opts<FlagOptions & { explainFlags?: boolean }>();
  return explainFlags ? { kind: 'explain' } : judge(flags, program.args[0]);
}

function judge(flags: FlagOptions, prompt: string | undefined): ParsedArgv {
  const options: HeadlessOptions = {
    ...flags,
    outputFormat: flags.outputFormat ?? 'text',
    inputFormat: flags.inputFormat ?? 'text',
    ...(prompt !== undefined && { prompt }),
  };
  const problem = problemOf(options);
  if (problem !== undefined) return { kind: 'refuse', text: `Error: ${problem}\n` };
  return { kind: 'run', options, warnings: warningsAbout(options) };
}

// Hosts show the last line of an agent that does not start, so the message must be one line. Suggestions and values can hold line breaks.
function oneLine(text: string): string {
  return `${text.trim().replace(/\s*\n\s*/g, ' ')}\n`;
}

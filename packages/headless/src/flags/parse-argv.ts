import { Command, CommanderError, Option } from 'commander';
import type { AuthCommand } from '../auth/agent-auth.ts';
import { problemOf, warningsAbout } from './check-options.ts';
import type { ReadValue } from './flag-values.ts';
import { FLAG_HELP } from './flag-help.ts';
import { FLAGS } from './flags.ts';
import type { FlagOptions, HeadlessOptions } from './options.ts';

/** What a command line requests: to run the agent, to explain the flags, or to print a text and exit. */
export type ParsedArgv =
  | { readonly kind: 'run'; readonly options: HeadlessOptions; readonly warnings: readonly string[] }
  | { readonly kind: 'explain' }
  | { readonly kind: 'auth'; readonly command: AuthCommand }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'refuse'; readonly text: string };

/** The `--help` texts of one program, in addition to the flags that all agents have. */
export interface ProgramHelp {
  /** The name of the program, such as `my-agent`. Default `agent`. */
  readonly name?: string;
  /** One sentence about the program. */
  readonly description?: string;
  /** The program's own flags, with their help texts. */
  readonly ownFlags?: Readonly<Record<string, string>>;
  /** The text after the list of flags. */
  readonly after?: string;
}

/** Parses the arguments after the program name: `--flag value` and `--flag=value`. Never throws. */
export function parseArgv(argv: readonly string[], version: string, help: ProgramHelp = {}): ParsedArgv {
  const { name = 'agent', description = '', ownFlags = {}, after = '' } = help;
  let printed = '';
  const program = new Command(name)
    .description(description)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: (text) => (printed += text) })
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .argument('[prompt]', 'the prompt; the text on stdin is appended to it')
    .option('--explain-flags', 'list the flags that are ignored or refused')
    .addHelpText('after', after === '' ? '' : `\n${after}`)
    .allowExcessArguments(false)
    // Because the program has an action, a word that is not a command is parsed as the prompt.
    .action(() => {})
    .helpCommand(false);
  const asked = authCommandOf(program, argv);
  for (const [flags, words] of Object.entries(ownFlags)) program.option(flags, words);
  for (const [member, { notation, read }] of Object.entries(FLAGS)) {
    const option = new Option(notation, FLAG_HELP[member as keyof FlagOptions]);
    program.addOption(read === undefined ? option : option.argParser<unknown>(read as ReadValue<unknown>));
  }
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.excessArguments') printed = tooManyWords(program.args);
    return error.exitCode === 0 ? { kind: 'print', text: printed } : { kind: 'refuse', text: oneLine(printed) };
  }
  const command = asked();
  if (command !== undefined) return { kind: 'auth', command };
  const { explainFlags, ...flags } = program.opts<FlagOptions & { explainFlags?: boolean }>();
  return explainFlags ? { kind: 'explain' } : runOrRefuse(flags, program.args[0]);
}

const AUTH_COMMANDS = ['status', 'login', 'logout'];

/**
 * Adds the sign-in commands only if the command line contains one of them, so that `auth` alone is still a prompt. Flags may precede the command.
 * After the program has parsed the command line, the returned function returns the command.
 */
function authCommandOf(program: Command, argv: readonly string[]): () => AuthCommand | undefined {
  let asked: AuthCommand | undefined;
  const at = argv.findIndex((word, index) => word === 'auth' && AUTH_COMMANDS.includes(argv[index + 1] ?? ''));
  if (at >= 0) {
    const auth = program.command('auth').description('the sign-in of the agent').helpCommand(false);
    const status = auth.command('status').description('print who is signed in; exits with 1 if nobody is');
    status.option('--json', 'print JSON (default)').option('--text', 'print a sentence');
    status.action(({ text }: { text?: boolean }) => {
      asked = { name: 'status', format: text ? 'text' : 'json' };
    });
    auth.command('login').action(() => {
      asked = { name: 'login' };
    });
    auth.command('logout').action(() => {
      asked = { name: 'logout' };
    });
  }
  return () => asked;
}

/** Words after the prompt are either an unquoted prompt or a command that this agent does not support. */
function tooManyWords(words: readonly string[]): string {
  const commands = AUTH_COMMANDS.map((name) => `auth ${name}`).join(', ');
  return `error: too many arguments: ${words.length} words. Put a prompt of several words in quotes. The only commands are ${commands}.`;
}

function runOrRefuse(flags: FlagOptions, prompt: string | undefined): ParsedArgv {
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

// If an agent does not start, hosts show its last line, so the message must be one line. Suggestions and values can contain line breaks.
function oneLine(text: string): string {
  return `${text.trim().replace(/\s*\n\s*/g, ' ')}\n`;
}

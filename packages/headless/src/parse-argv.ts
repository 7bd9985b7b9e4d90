import { Command, CommanderError } from 'commander';
import { FLAGS } from './flags.ts';

/** What the command line of an agent executable asks for. */
export interface HeadlessOptions {
  readonly outputFormat: string;
  readonly inputFormat: string;
  readonly verbose: boolean;
  readonly includePartialMessages: boolean;
  readonly sessionId: string | undefined;
  readonly model: string | undefined;
  readonly permissionMode: string | undefined;
  /** The positional prompt. */
  readonly prompt: string | undefined;
}

/** What to do about a command line: run, or print a line and leave. */
export type ParsedArgv =
  | { readonly kind: 'run'; readonly options: HeadlessOptions }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'refuse'; readonly text: string };

/** Reads the arguments behind the program's name, both as `--flag value` and as `--flag=value`. Never throws. */
export function parseArgv(argv: readonly string[], version: string): ParsedArgv {
  let printed = '';
  const program = new Command()
    .exitOverride()
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: (text) => (printed += text) })
    .version(version, '-v, --version')
    .argument('[prompt]')
    .allowExcessArguments(false);
  for (const flag of FLAGS) program.option(flag);
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: error.exitCode === 0 ? 'print' : 'refuse', text: printed };
  }
  return readOptions(program.opts(), program.args[0]);
}

function readOptions(flags: Readonly<Record<string, unknown>>, prompt: string | undefined): ParsedArgv {
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined);
  const options: HeadlessOptions = {
    outputFormat: text('outputFormat') ?? 'text',
    inputFormat: text('inputFormat') ?? 'text',
    verbose: flags['verbose'] === true,
    includePartialMessages: flags['includePartialMessages'] === true,
    sessionId: text('sessionId'),
    model: text('model'),
    permissionMode: text('permissionMode'),
    prompt,
  };
  const wrong = problemOf(options);
  return wrong === undefined ? { kind: 'run', options } : { kind: 'refuse', text: `Error: ${wrong}\n` };
}

function problemOf({ outputFormat, inputFormat, verbose, sessionId }: HeadlessOptions): string | undefined {
  if (outputFormat !== 'stream-json') return '--output-format must be stream-json';
  if (inputFormat !== 'stream-json') return '--input-format must be stream-json';
  if (!verbose) return '--output-format stream-json needs --verbose';
  if (sessionId !== undefined && !UUID.test(sessionId)) return '--session-id must be a UUID';
  return undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

import { Command, InvalidArgumentError, Option } from 'commander';

const OFF = ['0', 'false', 'no'];

/**
 * A command that also reads its options from environment variables. For example, `SJP_IDLE_TIMEOUT` sets `--idle-timeout`. If options of two commands
 * have the same name but different meanings, the variable also contains the name of the command, as in `SJP_SERVE_IDLE_TIMEOUT`. The command line
 * takes precedence over a variable. An empty variable is ignored. A switch stays off if its variable is `0`, `false` or `no`.
 */
export class EnvCommand extends Command {
  override createCommand(name?: string): Command {
    return new EnvCommand(name);
  }

  override addOption(option: Option): this {
    const name = option.envVar ?? `SJP_${option.name().replaceAll('-', '_').toUpperCase()}`;
    const value = process.env[name];
    // In commander, any value of an environment variable turns a switch on.
    if (value === '' || (option.isBoolean() && OFF.includes(value ?? ''))) delete process.env[name];
    return super.addOption(option.env(name));
  }
}

/**
 * Splits a command line at `--`. The words after `--` are the command line of an agent. A host that starts `sjp bridge`, `sjp inspect` or `sjp
 * connect` as its agent appends agent flags, beginning with `--output-format`. If the command line contains no `--`, these flags are dropped, because
 * the agent on the other side was started with its own flags.
 */
export function splitArgv(words: readonly string[]): {
  readonly argv: readonly string[];
  readonly agentArgv: readonly string[];
} {
  const dashes = words.indexOf('--');
  if (dashes !== -1) return { argv: words.slice(0, dashes), agentArgv: words.slice(dashes + 1) };
  const standsForAgent = ['bridge', 'inspect', 'connect'].includes(words[2] ?? '');
  const flags = standsForAgent ? words.findIndex((word) => /^--output-format(?:=|$)/.test(word)) : -1;
  return { argv: flags === -1 ? words : words.slice(0, flags), agentArgv: [] };
}

export function tokenFileOption(): Option {
  return new Option(
    '--token-file <file>',
    'the file with the token, read again for each connection (default: SJP_TOKEN, else the token of the server on this machine)',
  );
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function columnsOf(text: string): number {
  const columns = Number(text);
  if (!(Number.isInteger(columns) && columns >= 40))
    throw new InvalidArgumentError('The width must be a whole number, 40 or more.');
  return columns;
}

export function ignoreOption(): Option {
  return new Option(
    '--ignore <place>',
    'a place that may differ, such as "message.usage.**"; repeat the option for each place',
  ).argParser(collect);
}

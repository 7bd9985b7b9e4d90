import type { DeclaredCommand, DeclaredOption } from './declared-command.ts';

/** A command as data, for programs that build command lines. */
export interface CommandTree {
  /** The name of the command, without the names of its parents. */
  readonly name: string;
  /** What the command does, as described in its help; may be empty. */
  readonly description: string;
  /** The options and arguments in short form, such as `[options] [file]`. */
  readonly usage: string;
  /** The arguments, in the order of the command line. */
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  /** The options of this command, without the options of its parents. */
  readonly options: readonly OptionEntry[];
  /** The visible subcommands, without `help`. */
  readonly commands: readonly CommandTree[];
}

/** An option of a command, as data. */
export interface OptionEntry {
  /** The flags and the value, such as `-f, --format <format>`. */
  readonly flags: string;
  /** What the option does, as described in the help. */
  readonly description: string;
  /** Whether the command cannot be called without the option. */
  readonly required: boolean;
  /** The only values that the option accepts; absent if it accepts other values. */
  readonly choices?: readonly string[] | undefined;
  /** The value if the option is not given; absent if the option has no default. */
  readonly default?: unknown;
  /** The environment variable that sets the option. */
  readonly env?: string | undefined;
}

/** Describes a command and its subcommands as data, as `sjp --help --json` writes them. Hidden commands and `help` are left out. */
export function commandTree(command: DeclaredCommand): CommandTree {
  return {
    name: command.name(),
    description: command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
      required: argument.required,
    })),
    options: command.options.map(optionEntry),
    // Commands that only scripts call are hidden, and every program has `help`.
    commands: command
      .createHelp()
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .map(commandTree),
  };
}

function optionEntry({ flags, description, mandatory, argChoices, defaultValue, envVar }: DeclaredOption): OptionEntry {
  return { flags, description, required: mandatory, choices: argChoices, default: defaultValue, env: envVar };
}

import type { DeclaredCommand, DeclaredOption } from './declared-command.ts';

/** A command as data, for programs that build command lines. */
export interface CommandTree {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly options: readonly OptionEntry[];
  readonly commands: readonly CommandTree[];
}

/** An option as data. */
export interface OptionEntry {
  readonly flags: string;
  readonly description: string;
  readonly required: boolean;
  readonly choices?: readonly string[] | undefined;
  readonly default?: unknown;
  /** The variable that sets the option. */
  readonly env?: string | undefined;
}

/** Describes a command and its subcommands as data, such as `sjp --help --json` writes it. Hidden commands are left out, and `help`. */
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
    // Not the commands that only scripts call, and not `help`, which every program has.
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

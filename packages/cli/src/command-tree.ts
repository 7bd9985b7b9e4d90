import type { Command, Option } from 'commander';

/** A command as data, for programs that build a command line. */
export interface CommandTree {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly options: readonly OptionEntry[];
  readonly commands: readonly CommandTree[];
}

interface OptionEntry {
  readonly flags: string;
  readonly description: string;
  readonly required: boolean;
  readonly choices?: readonly string[] | undefined;
  readonly default?: unknown;
  /** The variable that says the same. */
  readonly env?: string | undefined;
}

/** What `--help --json` writes of a command and those below it. */
export function commandTree(command: Command): CommandTree {
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
    commands: command.commands.map(commandTree),
  };
}

function optionEntry({ flags, description, mandatory, argChoices, defaultValue, envVar }: Option): OptionEntry {
  const value: unknown = defaultValue;
  return { flags, description, required: mandatory, choices: argChoices, default: value, env: envVar };
}

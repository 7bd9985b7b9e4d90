/** A command and what it declares. A `Command` of commander has these members. */
export interface DeclaredCommand {
  /** The subcommands, including hidden subcommands. */
  readonly commands: readonly DeclaredCommand[];
  /** The options of this command, without the options of its parents. */
  readonly options: readonly DeclaredOption[];
  /** The arguments, in the order of the command line. */
  readonly registeredArguments: readonly DeclaredArgument[];
  /** Returns the name, without the names of the parents. */
  name(): string;
  /** Returns the aliases of the command. */
  aliases(): readonly string[];
  /** Returns what the command does; may be empty. */
  description(): string;
  /** Returns the options and arguments in short form, such as `[options] [file]`. */
  usage(): string;
  /** Returns the functions that leave out hidden commands and options. */
  createHelp(): {
    visibleCommands(command: DeclaredCommand): readonly DeclaredCommand[];
    visibleOptions(command: DeclaredCommand): readonly DeclaredOption[];
  };
}

/** An option of a command. */
export interface DeclaredOption {
  /** The flags and the value, such as `-f, --format <format>`. */
  readonly flags: string;
  /** The short flag, such as `-f`. */
  readonly short?: string | undefined;
  /** The long flag, such as `--format`. */
  readonly long?: string | undefined;
  /** What the option does, as described in the help. */
  readonly description: string;
  /** Whether the option needs a value. */
  readonly required: boolean;
  /** Whether the command needs the option. */
  readonly mandatory: boolean;
  /** The only values that the option accepts; undefined if it accepts other values. */
  readonly argChoices?: readonly string[] | undefined;
  /** The value if the option is not given; undefined if the option has no default. */
  readonly defaultValue?: unknown;
  /** The environment variable that sets the option. */
  readonly envVar?: string | undefined;
}

/** An argument of a command. */
export interface DeclaredArgument {
  /** What the argument means, as described in the help. */
  readonly description: string;
  /** Whether the command needs the argument. */
  readonly required: boolean;
  /** Whether the argument includes all following words. */
  readonly variadic: boolean;
  /** The only values that the argument accepts; undefined if it accepts other values. */
  readonly argChoices?: readonly string[] | undefined;
  /** Returns the name, such as `file`. */
  name(): string;
}

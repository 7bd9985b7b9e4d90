/** A command and what it declares. A `Command` of commander has these members. */
export interface DeclaredCommand {
  readonly commands: readonly DeclaredCommand[];
  readonly options: readonly DeclaredOption[];
  readonly registeredArguments: readonly DeclaredArgument[];
  name(): string;
  aliases(): readonly string[];
  description(): string;
  usage(): string;
  createHelp(): {
    visibleCommands(command: DeclaredCommand): readonly DeclaredCommand[];
    visibleOptions(command: DeclaredCommand): readonly DeclaredOption[];
  };
}

/** An option of a command. */
export interface DeclaredOption {
  readonly flags: string;
  readonly short?: string | undefined;
  readonly long?: string | undefined;
  readonly description: string;
  /** Whether the option needs a value. */
  readonly required: boolean;
  /** Whether the command needs the option. */
  readonly mandatory: boolean;
  readonly argChoices?: readonly string[] | undefined;
  readonly defaultValue?: unknown;
  /** The variable that sets the option. */
  readonly envVar?: string | undefined;
}

/** An argument of a command. */
export interface DeclaredArgument {
  readonly description: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly argChoices?: readonly string[] | undefined;
  name(): string;
}

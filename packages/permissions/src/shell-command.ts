// What joins, nests or redirects commands: a rule for one command says nothing of what stands behind these.
const SHELL_OPERATORS = /[;&|<>`$(){}\n]/;

/** Whether a command may hold others, or write to files. */
export function isCompound(command: string): boolean {
  return SHELL_OPERATORS.test(command);
}

/**
 * The command itself, and each part of it that a shell may run, with single blanks, and again without the variables that are set in
 * front of a part. This is no shell: what is quoted, built or run by another program (`sh -c`, `xargs`) is not found.
 */
export function partsOf(command: string): readonly string[] {
  const parts = [command, ...command.split(SHELL_OPERATORS)].map((part) => part.replace(/\s+/g, ' ').trim());
  return parts.flatMap((part) => [part, part.replace(/^(?:\w+=\S* )+/, '')]);
}

/** The pattern to offer for a command: what begins like it, or that command alone where it is more than one. */
export function patternFor(command: string): string {
  if (isCompound(command)) return command;
  return `${command.trim().split(/\s+/).slice(0, 2).join(' ')} *`;
}

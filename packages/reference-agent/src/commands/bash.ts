import type { Command } from '../action.ts';

/** `/bash CMD`: runs a command in a shell, and tells its output. */
export const bash: Command = (command) => {
  if (command === '') throw new Error('/bash takes a command');
  return [{ kind: 'call', tool: 'Bash', input: { command, description: command } }];
};

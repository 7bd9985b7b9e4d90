import type { Command } from '../action.ts';
import { secondsOf } from './seconds.ts';

/** `/background SECONDS`: starts a command that takes that long, and goes on; its end causes a turn of its own. */
export const background: Command = (argument) => {
  const command = `sleep ${secondsOf('/background', argument)}`;
  return [{ kind: 'call', tool: 'Bash', input: { command, description: command, run_in_background: true } }];
};

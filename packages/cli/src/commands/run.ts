import { homedir } from 'node:os';
import { type RunOptions, type RunProcess, runPrompt } from '@proto/terminal';
import { ownVariables } from '../own-variables.ts';

/** The flags of `sjp run`. */
export type RunFlags = Omit<RunOptions, 'name' | 'home' | 'variables'>;

/** `sjp run`: hosts an agent for one prompt. Gives the exit code. */
export function run(
  prompt: string | undefined,
  agent: readonly string[],
  options: RunFlags,
  here: RunProcess = process,
): Promise<number> {
  const variables = (commandLine: readonly string[]) => ownVariables(commandLine, here.env);
  return runPrompt(prompt, agent, { ...options, name: 'sjp run', home: homedir(), variables }, here);
}

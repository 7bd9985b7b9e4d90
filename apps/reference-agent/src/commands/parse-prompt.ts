import type { Action } from '../actions.ts';
import { type CommandEntry, COMMANDS } from './commands.ts';
import { say } from './text-commands.ts';

const PARALLEL = '/parallel';

/**
 * Divides a prompt into steps, which run one after the other. A step is one command, or consecutive lines of text, or all the lines after
 * `/parallel`, which run concurrently.
 */
export function parsePrompt(prompt: string): readonly (readonly string[])[] {
  const steps: string[][] = [];
  let text: string[] | undefined;
  let together: string[] | undefined;
  for (const line of prompt.split(/\r?\n/).map((each) => each.trim())) {
    if (line === '') continue;
    if (line === PARALLEL) together ??= [];
    else if (together !== undefined) together.push(line);
    else if (text !== undefined && commandOf(line) === undefined) text[0] += `\n${line}`;
    else {
      const step = [line];
      steps.push(step);
      text = commandOf(line) === undefined ? step : undefined;
    }
  }
  if (together !== undefined && together.length > 0) steps.push(together);
  // An empty prompt gets a reply too.
  return steps.length > 0 ? steps : [['']];
}

/** The actions of one line. @throws {Error} for an argument that the command does not accept. */
export function actionsOf(line: string, signal: AbortSignal): readonly Action[] {
  const command = commandOf(line);
  return command === undefined ? say(line, signal) : command.run(line.replace(/^\S+\s*/, ''), signal);
}

function commandOf(line: string): CommandEntry | undefined {
  const name = /^\/(\S+)/.exec(line)?.[1] ?? '';
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

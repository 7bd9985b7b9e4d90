import type { Action } from '../actions.ts';
import { type CommandEntry, COMMANDS } from './commands.ts';
import { say } from './text-commands.ts';

const PARALLEL = '/parallel';

/**
 * What a prompt comes to, step by step: a step is a command, lines of text without one between them, or all the lines behind a
 * `/parallel`, to be done at once.
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
  // A prompt without a word has a reply too.
  return steps.length > 0 ? steps : [['']];
}

/** What one line asks for. Throws where the argument of its command is none. */
export function actionsOf(line: string, signal: AbortSignal): readonly Action[] {
  const command = commandOf(line);
  return command === undefined ? say(line, signal) : command.run(line.replace(/^\S+\s*/, ''), signal);
}

function commandOf(line: string): CommandEntry | undefined {
  const name = /^\/(\S+)/.exec(line)?.[1] ?? '';
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

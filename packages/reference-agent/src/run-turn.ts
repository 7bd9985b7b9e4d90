import { textOf, type Turn, type WireMessage } from '@proto/core';
import type { Command } from './command.ts';
import { ask } from './commands/ask.ts';
import { echo } from './commands/echo.ts';
import { say } from './commands/say.ts';
import { slow } from './commands/slow.ts';
import { reply } from './reply.ts';

/** Commands that only say something. */
const TEXTS: Readonly<Record<string, Command>> = { '/echo': echo, '/slow': slow };
/** Commands that use tools. */
const TOOLS: Readonly<Record<string, (argument: string, turn: Turn) => AsyncIterable<WireMessage>>> = { '/ask': ask };

/**
 * The reference agent: a prompt is a list of commands, one a line, all run in one turn; a line that is no command is answered
 * as text. The same prompt gives the same texts each time.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<WireMessage, void, undefined> {
  for (const line of textOf(turn.prompt).split('\n')) {
    if (turn.signal.aborted) return;
    if (line.trim() !== '') yield* run(line.trim(), turn);
  }
}

function run(line: string, turn: Turn): AsyncIterable<WireMessage> {
  const [name = '', ...rest] = line.split(' ');
  const argument = rest.join(' ');
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool !== undefined) return tool(argument, turn);
  const text = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
  return reply(text === undefined ? say(line) : text(argument, turn.signal), turn.signal);
}

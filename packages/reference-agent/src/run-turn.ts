import { textOf, type Turn, type WireMessage } from '@proto/core';
import type { Command } from './command.ts';
import { echo } from './commands/echo.ts';
import { say } from './commands/say.ts';
import { slow } from './commands/slow.ts';
import { reply } from './reply.ts';

const COMMANDS: Readonly<Record<string, Command>> = { '/echo': echo, '/slow': slow };

/**
 * The reference agent: a prompt is a list of commands, one a line, all run in one turn; a line that is no command is answered
 * as text. The same prompt gives the same texts each time.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<WireMessage, void, undefined> {
  for (const line of textOf(turn.prompt).split('\n')) {
    if (turn.signal.aborted) return;
    if (line.trim() !== '') yield* reply(pieces(line.trim(), turn.signal), turn.signal);
  }
}

function pieces(line: string, signal: AbortSignal): AsyncIterable<string> {
  const [name = '', ...rest] = line.split(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command === undefined ? say(line) : command(rest.join(' '), signal);
}

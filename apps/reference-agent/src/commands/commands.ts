import type { Command } from '../actions.ts';
import { fail, json } from './ending-commands.ts';
import { big, echo, slow, think, unicode } from './text-commands.ts';
import { ask, background, bash, mcp, read, subagent, write } from './tool-commands.ts';

/** A command, and its description for hosts. */
export interface CommandEntry {
  readonly run: Command;
  readonly argumentHint: string;
  readonly description: string;
}

const entry = (run: Command, argumentHint: string, description: string): CommandEntry => ({
  run,
  argumentHint,
  description,
});

/** Every command of a prompt, except `/parallel`, which affects the lines after it. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  ask: entry(ask, 'QUESTION|A|B', 'Ask the user, and repeat the answer.'),
  background: entry(background, 'SECONDS', 'Start a command that takes that long, and continue.'),
  bash: entry(bash, 'CMD', 'Run a command in a shell, and show its output.'),
  big: entry(big, 'BYTES', 'Answer that many bytes.'),
  echo: entry(echo, 'TEXT', 'Answer the text.'),
  fail: entry(fail, 'max_turns|budget|api|execution|crash', 'End the turn, or the process, badly.'),
  json: entry(json, 'JSON', 'Give that value as the structured output of the turn.'),
  mcp: entry(mcp, 'SERVER TOOL JSON', 'Call a tool of a server of the host, and show its answer.'),
  read: entry(read, 'FILE', 'Read a file, and show its text.'),
  slow: entry(slow, 'SECONDS', 'Stream text all that time.'),
  subagent: entry(subagent, 'TEXT', 'Give a text or a command to a subagent, and show its answer.'),
  think: entry(think, 'TEXT', 'Think the text.'),
  unicode: entry(unicode, '', 'Answer all that is hard on readers of text.'),
  write: entry(write, 'FILE TEXT', 'Make a file of the text.'),
};

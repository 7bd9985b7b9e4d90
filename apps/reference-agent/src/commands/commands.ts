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

/** All commands of a prompt except `/parallel`, which affects the lines after it. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  ask: entry(ask, 'QUESTION|A|B', 'Ask the user, and repeat the answer.'),
  background: entry(background, 'SECONDS', 'Start a command that runs for this time in the background, and continue.'),
  bash: entry(bash, 'CMD', 'Run a command in a shell, and show its output.'),
  big: entry(big, 'BYTES', 'Answer with this number of bytes.'),
  echo: entry(echo, 'TEXT', 'Answer with the text.'),
  fail: entry(fail, 'max_turns|budget|api|execution|crash', 'End the turn with an error, or crash the process.'),
  json: entry(json, 'JSON', 'Return this value as the structured output of the turn.'),
  mcp: entry(mcp, 'SERVER TOOL JSON', 'Call a tool of an MCP server in the host, and show its answer.'),
  read: entry(read, 'FILE', 'Read a file, and show its text.'),
  slow: entry(slow, 'SECONDS', 'Stream text for this time.'),
  subagent: entry(subagent, 'TEXT', 'Send text or a command to a subagent, and show its answer.'),
  think: entry(think, 'TEXT', 'Write the text as thinking.'),
  unicode: entry(unicode, '', 'Answer with characters that programs often handle wrongly.'),
  write: entry(write, 'FILE TEXT', 'Write the text to a file.'),
};

import type { ToolCallContent, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk';
import { isObject, type Members, objectOf } from '../members.ts';

/** The members of a tool call that are known so far. An update contains only what has changed. */
export type KnownCall = Omit<ToolCallUpdate, 'toolCallId'>;

/** A tool call in the form of a `tool_use` block. */
export interface ToolUse {
  readonly name: string;
  readonly input: Members;
}

/** The tools whose permission rules and views fit a kind of call, or a name for the kind. */
const NAMES: Readonly<Partial<Record<ToolKind, string>>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Grep',
  execute: 'Bash',
  fetch: 'WebFetch',
  think: 'Think',
  switch_mode: 'ExitPlanMode',
};

/** The tool, and its input with the members that hosts look for: the command of a `Bash` call, and the file of a call for a file. */
export function toolUseOf({ name, kind, title, rawInput, locations, content }: KnownCall): ToolUse {
  const tool = (kind && NAMES[kind]) ?? name ?? 'Tool';
  const raw = isObject(rawInput) ? rawInput : rawInput === undefined ? {} : { input: rawInput };
  const diff = content?.find((each) => each.type === 'diff');
  const file = diff?.path ?? locations?.[0]?.path;
  const { oldText, newText } = diff ?? {};
  return {
    name: tool,
    input: {
      ...(tool !== 'Edit' && tool !== 'Read' && title && { description: title }),
      ...(tool === 'Edit' && diff && { old_string: oldText ?? '', new_string: newText }),
      ...((tool === 'Edit' || tool === 'Read') && file !== undefined && { file_path: file }),
      ...raw,
      ...(tool === 'Bash' && { command: commandOf(raw, title ?? '') }),
    },
  };
}

const NO_OUTPUT = 'The call gave no output.';

/** The text of the `tool_result` block: what the agent shows of the result, or else its raw output. */
export function resultTextOf({ content, rawOutput }: KnownCall): string {
  const shown = (content ?? []).map(textOf).filter((text) => text !== '');
  if (shown.length > 0) return shown.join('\n');
  const { output, formatted_output: formatted, stdout } = objectOf(rawOutput);
  const text = [rawOutput, output, formatted, stdout].find((each) => typeof each === 'string');
  return text ?? (rawOutput === undefined || rawOutput === null ? NO_OUTPUT : JSON.stringify(rawOutput));
}

/** A command may be a text, or a list of a program and its arguments. If the agent does not send it, its title is what people decide about. */
function commandOf({ command }: Members, title: string): string {
  if (Array.isArray(command)) return command.map(quoted).join(' ');
  return typeof command === 'string' ? command : title;
}

/** Quotes an argument for a shell, so that rules for commands read one argument as one. */
function quoted(argument: unknown): string {
  const text = String(argument);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function textOf(shown: ToolCallContent): string {
  switch (shown.type) {
    case 'diff':
      return `The file ${shown.path} has been changed.`;
    case 'content':
      if (shown.content.type === 'text') return withoutFence(shown.content.text);
      return shown.content.type === 'resource_link' ? shown.content.uri : `[${shown.content.type}]`;
    default:
      return '';
  }
}

/** Agents write output as code, so that editors show it as such. */
function withoutFence(text: string): string {
  return /^(`{3,})[\w-]*\n(?<inner>[^]*?)\n?\1\s*$/.exec(text)?.groups?.['inner'] ?? text;
}

import type { ToolCall, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk';
import { type Members, objectOf, objectsIn } from '../members.ts';

/** How an editor shows a tool call. */
export type ToolCallView = Required<Pick<ToolCall, 'title' | 'kind' | 'content' | 'locations'>>;

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  Bash: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Agent: 'think',
  Task: 'think',
  TodoWrite: 'think',
  ExitPlanMode: 'switch_mode',
};

const TITLES: Readonly<Record<string, (input: Members, cwd: string) => string>> = {
  Read: (input, cwd) => `Read ${within(cwd, pathOf(input))}`,
  Write: (input, cwd) => `Write ${within(cwd, pathOf(input))}`,
  Edit: (input, cwd) => `Edit ${within(cwd, pathOf(input))}`,
  MultiEdit: (input, cwd) => `Edit ${within(cwd, pathOf(input))}`,
  NotebookEdit: (input, cwd) => `Edit ${within(cwd, pathOf(input))}`,
  Glob: ({ pattern, path }, cwd) => `Find ${[within(cwd, textOf(path)), textOf(pattern)].filter(Boolean).join(' ')}`,
  Grep: ({ pattern, path }, cwd) =>
    `Search ${[JSON.stringify(textOf(pattern)), within(cwd, textOf(path))].filter(Boolean).join(' in ')}`,
  LS: (input, cwd) => `List ${within(cwd, pathOf(input))}`,
  Bash: ({ command }) => textOf(command),
  WebFetch: ({ url }) => `Fetch ${textOf(url)}`,
  WebSearch: ({ query }) => `Search the web for ${JSON.stringify(textOf(query))}`,
  Agent: ({ description }) => textOf(description),
  Task: ({ description }) => textOf(description),
  TodoWrite: () => 'Update the plan',
  ExitPlanMode: () => 'Ready to code?',
};

/**
 * Returns the title, the kind, the changes and the files of a tool call. Titles name files relative to the working directory `cwd`. An unknown tool
 * gets its name as the title, and the kind `other`.
 */
export function viewOfToolCall(name: string, input: unknown, cwd = ''): ToolCallView {
  const members = objectOf(input);
  const path = pathOf(members);
  const line = members['offset'];
  return {
    title: (Object.hasOwn(TITLES, name) && TITLES[name]?.(members, cwd)) || titleOfOther(name),
    kind: Object.hasOwn(KINDS, name) ? (KINDS[name] ?? 'other') : 'other',
    content: contentOf(name, members),
    locations: path === '' ? [] : [{ path, ...(typeof line === 'number' && { line }) }],
  };
}

/** The title of a tool of an MCP server, whose name is `mcp__SERVER__TOOL`, names the server too. */
function titleOfOther(name: string): string {
  const [, server, ...tool] = name.split('__');
  return name.startsWith('mcp__') && tool.length > 0 ? `${tool.join('__')} (${server})` : name;
}

function contentOf(name: string, input: Members): ToolCallContent[] {
  const path = pathOf(input);
  switch (name) {
    case 'Write':
      return [{ type: 'diff', path, oldText: null, newText: textOf(input['content']) }];
    case 'Edit':
      return [diffOf(path, input)];
    case 'MultiEdit':
      return objectsIn(input['edits']).map((edit) => diffOf(path, edit));
    case 'NotebookEdit':
      return [{ type: 'diff', path, oldText: null, newText: textOf(input['new_source']) }];
    case 'ExitPlanMode':
      return [{ type: 'content', content: { type: 'text', text: textOf(input['plan']) } }];
    case 'Bash':
      return textContent(input['description']);
    case 'Agent':
    case 'Task':
      return textContent(input['prompt']);
    default:
      return [];
  }
}

function diffOf(path: string, edit: Members): ToolCallContent {
  return { type: 'diff', path, oldText: textOf(edit['old_string']), newText: textOf(edit['new_string']) };
}

/** A path within the working directory is shortened. */
function within(cwd: string, path: string): string {
  const folder = cwd.replace(/\/$/, '');
  return folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

function textContent(text: unknown): ToolCallContent[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'content', content: { type: 'text', text } }] : [];
}

function pathOf({ file_path: file, notebook_path: notebook, path }: Members): string {
  return textOf(file ?? notebook ?? path);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

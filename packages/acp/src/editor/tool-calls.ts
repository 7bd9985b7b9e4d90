import type { ToolCall, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk';
import { textBlock } from '../blocks.ts';
import { type Members, objectOf, objectsIn } from '../members.ts';

/** How an editor shows a tool call. */
export type ToolCallView = Required<Pick<ToolCall, 'title' | 'kind' | 'content' | 'locations'>>;

interface KnownTool {
  readonly kind: ToolKind;
  readonly title: (input: Members, cwd: string) => string;
}

const KNOWN_TOOLS = new Map(
  Object.entries<KnownTool>({
    Read: fileTool('read', 'Read'),
    Write: fileTool('edit', 'Write'),
    Edit: fileTool('edit', 'Edit'),
    MultiEdit: fileTool('edit', 'Edit'),
    NotebookEdit: fileTool('edit', 'Edit'),
    LS: fileTool('search', 'List'),
    Glob: {
      kind: 'search',
      title: ({ pattern, path }, cwd) =>
        `Find ${[within(cwd, textOf(path)), textOf(pattern)].filter(Boolean).join(' ')}`,
    },
    Grep: {
      kind: 'search',
      title: ({ pattern, path }, cwd) =>
        `Search ${[JSON.stringify(textOf(pattern)), within(cwd, textOf(path))].filter(Boolean).join(' in ')}`,
    },
    Bash: { kind: 'execute', title: ({ command }) => textOf(command) },
    WebFetch: { kind: 'fetch', title: ({ url }) => `Fetch ${textOf(url)}` },
    WebSearch: { kind: 'fetch', title: ({ query }) => `Search the web for ${JSON.stringify(textOf(query))}` },
    Agent: { kind: 'think', title: ({ description }) => textOf(description) },
    Task: { kind: 'think', title: ({ description }) => textOf(description) },
    TodoWrite: { kind: 'think', title: () => 'Update the plan' },
    AskUserQuestion: { kind: 'other', title: ({ questions }) => textOf(objectsIn(questions)[0]?.['question']) },
    ExitPlanMode: { kind: 'switch_mode', title: () => 'Ready to code?' },
  }),
);

function fileTool(kind: ToolKind, verb: string): KnownTool {
  return { kind, title: (input, cwd) => `${verb} ${within(cwd, pathOf(input))}` };
}

/** Returns how a tool call is shown. Titles name files relative to the working directory. The title of an unknown tool is its name. */
export function viewOfToolCall(name: string, input: unknown, cwd = ''): ToolCallView {
  const tool = KNOWN_TOOLS.get(name);
  const members = objectOf(input);
  const path = pathOf(members);
  const line = members['offset'];
  return {
    title: tool?.title(members, cwd) || titleOfOther(name),
    kind: tool?.kind ?? 'other',
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
    case 'NotebookEdit':
      return [diffOf(path, null, input['content'] ?? input['new_source'])];
    case 'Edit':
      return [diffOf(path, textOf(input['old_string']), input['new_string'])];
    case 'MultiEdit':
      return objectsIn(input['edits']).map((edit) => diffOf(path, textOf(edit['old_string']), edit['new_string']));
    case 'ExitPlanMode':
      return textContent(input['plan']);
    case 'Bash':
      return textContent(input['description']);
    case 'Agent':
    case 'Task':
      return textContent(input['prompt']);
    default:
      return [];
  }
}

function diffOf(path: string, oldText: string | null, newText: unknown): ToolCallContent {
  return { type: 'diff', path, oldText, newText: textOf(newText) };
}

/** A path within the working directory is shortened. */
function within(cwd: string, path: string): string {
  const folder = cwd.replace(/\/$/, '');
  return folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

function textContent(text: unknown): ToolCallContent[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'content', content: textBlock(text) }] : [];
}

function pathOf({ file_path: file, notebook_path: notebook, path }: Members): string {
  return textOf(file ?? notebook ?? path);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

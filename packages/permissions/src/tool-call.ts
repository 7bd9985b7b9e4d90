import type { RuleSubject } from './matches-rule.ts';
import { absolutePath, pathWithin } from './paths.ts';

/** A tool, and the input of the call. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const SHELLS = new Set(['Bash', 'PowerShell']);
const SEARCHES = new Set(['Glob', 'Grep', 'LS']);
/** The member of the input that names the subject of a call, for tools whose calls have a name. */
const NAMES: Readonly<Record<string, string>> = {
  Agent: 'subagent_type',
  Task: 'subagent_type',
  Skill: 'skill',
  WebSearch: 'query',
};
const PATHS = ['file_path', 'notebook_path', 'path'];
const OTHERS = ['command', 'pattern', 'url', 'query', 'prompt', 'description'];

/** Returns the part of a call that rules are compared with: its command, all of its paths, its address, or its name. */
export function subjectOf(call: ToolCall, cwd: string, home?: string): RuleSubject {
  const { tool, input } = call;
  const name = Object.hasOwn(NAMES, tool) ? textsOf(input, [NAMES[tool] as string]) : [];
  if (name.length > 0) return { tool, kind: 'name', values: name };
  const commands = textsOf(input, ['command']);
  if (SHELLS.has(tool)) return { tool, kind: 'command', values: commands };
  const paths = pathsOf(call, cwd, home).map((path) => absolutePath(path, cwd));
  if (paths.length > 0) return { tool, kind: 'path', values: paths };
  if (commands.length > 0) return { tool, kind: 'command', values: commands };
  const addresses = textsOf(input, ['url']);
  return { tool, kind: addresses.length > 0 ? 'url' : 'unknown', values: addresses };
}

/**
 * Returns the paths that a call names, from the root on, with each `..` as given. A search without a path is in the working folder, and a
 * pattern of files may lead elsewhere.
 */
export function pathsOf({ tool, input }: ToolCall, cwd: string, home: string | undefined): readonly string[] {
  const paths = textsOf(input, PATHS).flatMap((path) => {
    // Some agents expand `~` and some do not, so both paths count.
    const isHome = home !== undefined && /^~(?:[/\\]|$)/.test(path);
    return [joined(cwd, path), ...(isHome ? [`${home}${path.slice(1)}`] : [])];
  });
  if (!SEARCHES.has(tool)) return paths;
  const start = paths[0] ?? cwd;
  const pattern = tool === 'Glob' ? textsOf(input, ['pattern']) : [];
  const folders = pattern.map((text) => text.replace(/[^/\\]*[*?[{].*$/s, '')).filter((text) => text !== '');
  return [start, ...paths.slice(1), ...folders.map((folder) => joined(start, folder))];
}

function joined(folder: string, path: string): string {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${folder}/${path}`;
}

/** Describes a call in one line, such as `Read(package.json)`. */
export function describeCall({ tool, input }: ToolCall, cwd: string): string {
  const path = textsOf(input, PATHS)[0];
  const about = textsOf(input, OTHERS)[0] ?? questionOf(input) ?? JSON.stringify(input);
  return `${tool}(${path === undefined ? about : relativePath(path, cwd)})`;
}

function questionOf({ questions }: ToolCall['input']): string | undefined {
  const question: unknown = Array.isArray(questions) ? Object(questions[0]).question : undefined;
  return typeof question === 'string' ? question : undefined;
}

function textsOf(input: ToolCall['input'], members: readonly string[]): readonly string[] {
  return members.map((member) => input[member]).filter((value) => typeof value === 'string');
}

/** Returns a path from the working folder; the whole path for a file outside. */
function relativePath(path: string, cwd: string): string {
  return pathWithin(absolutePath(path, cwd), absolutePath(cwd, cwd)) || path;
}

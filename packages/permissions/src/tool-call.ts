import type { RuleSubject } from './matches-rule.ts';
import { absolutePath, pathWithin } from './paths.ts';
import { processTargetOf } from './process-paths.ts';
import { foldersOfPattern } from './searched-folders.ts';
import { subjectOfTool, textsIn, type ToolSubject } from './tool-subjects.ts';

/** A tool, and the input of the call. */
export interface ToolCall {
  /** The name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly tool: string;
  /** The input of the call, as the model wrote it. */
  readonly input: Readonly<Record<string, unknown>>;
}

const PATHS = ['file_path', 'notebook_path', 'path'];
const OTHERS = ['command', 'pattern', 'url', 'query', 'prompt', 'description'];

/**
 * Returns the part of a call that rules are compared with: its command, all of its paths, its address, or its name. The tool determines which members
 * of the input are used. For an unknown tool, all strings are used. If a required member is missing or is not a string, the result has no values, so
 * that no rule with a pattern allows the call.
 */
export function subjectOf(call: ToolCall, cwd: string, home?: string): RuleSubject {
  const { tool, input } = call;
  const known = subjectOfTool(tool);
  if (known === undefined) return { tool, kind: 'unknown', values: textsIn(input) ?? [] };
  const { kind } = known;
  if (kind !== 'path' && kind !== 'search') return { tool, kind, values: membersOf(call, known) ?? [] };
  return { tool, kind, values: pathsOf(call, cwd, home).map((path) => absolutePath(path, cwd)) };
}

function membersOf({ input }: ToolCall, { required, optional }: ToolSubject): readonly string[] | undefined {
  const given = [...required, ...optional].filter((member) => required.includes(member) || isGiven(input, member));
  const values = given.map((member) => (isGiven(input, member) ? input[member] : undefined));
  return values.every((value) => typeof value === 'string') ? values : undefined;
}

function isGiven(input: ToolCall['input'], member: string): boolean {
  return Object.hasOwn(input, member) && input[member] !== undefined && input[member] !== null;
}

/**
 * In the returned absolute paths, `..` is not resolved. For a search, the result contains the folders that it searches. A search without a path
 * searches the working folder.
 */
export function pathsOf(call: ToolCall, cwd: string, home: string | undefined): readonly string[] {
  const known = subjectOfTool(call.tool);
  const values = known && membersOf(call, known);
  if (known === undefined || values === undefined) return [];
  if (known.kind === 'path') return values.flatMap((path) => wholePaths(path, cwd, cwd, home));
  if (known.kind !== 'search') return [];
  const { path, pattern, glob } = call.input;
  const starts = wholePaths(typeof path === 'string' && path !== '' ? path : '.', cwd, cwd, home);
  const searched = (text: unknown) =>
    typeof text === 'string'
      ? foldersOfPattern(text).flatMap((folder) => starts.flatMap((start) => wholePaths(folder, start, cwd, home)))
      : [];
  // The pattern of `Glob` is relative to the folder of the search. The patterns of `Grep` only exclude files.
  if (call.tool === 'Glob') return searched(pattern);
  return call.tool === 'Grep' ? [...starts, ...globsIn(glob).flatMap(searched)] : starts;
}

/** Some agents accept several patterns in one string. */
function globsIn(glob: unknown): readonly string[] {
  return typeof glob === 'string'
    ? [...new Set([glob, ...glob.split(/[\s,]+/)])].map((each) => each.replace(/^!/, ''))
    : [];
}

/** Includes paths that may be meant: a path in the home folder, and the target of a process link. */
function wholePaths(path: string, folder: string, cwd: string, home: string | undefined): readonly string[] {
  // Some agents expand `~` and some do not, so both paths are checked.
  const isHome = home !== undefined && /^~(?:[/\\]|$)/.test(path);
  const whole = [joined(folder, path), ...(isHome ? [`${home}${path.slice(1)}`] : [])];
  return whole.flatMap((each) => {
    const { link, target } = processTargetOf(each, cwd) ?? {};
    return [each, link, target].filter((text) => text !== undefined);
  });
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

/** The path stays absolute for a file outside the working folder. */
function relativePath(path: string, cwd: string): string {
  return pathWithin(absolutePath(path, cwd), absolutePath(cwd, cwd)) || path;
}

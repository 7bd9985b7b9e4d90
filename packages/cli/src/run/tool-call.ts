import { isAbsolute, relative, resolve } from 'node:path';

/** A tool, and what it is called with. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const PATHS = ['file_path', 'notebook_path', 'path'];
const OTHERS = ['command', 'pattern', 'url', 'query', 'prompt', 'description'];

/** What rules are held against: the command of a call, or the whole path of its file. */
export function subjectOf({ input }: ToolCall, cwd: string): string | undefined {
  if (typeof input['command'] === 'string') return input['command'];
  const path = first(input, PATHS);
  return path === undefined ? undefined : resolve(cwd, path);
}

/** A call in one line, as `Read(package.json)`: by what says most about it. */
export function describeCall({ name, input }: ToolCall, cwd: string): string {
  const path = first(input, PATHS);
  const about =
    path === undefined ? (first(input, OTHERS) ?? questionOf(input) ?? JSON.stringify(input)) : within(path, cwd);
  return `${name}(${about})`;
}

function questionOf({ questions }: ToolCall['input']): string | undefined {
  const question: unknown = Array.isArray(questions) ? Object(questions[0]).question : undefined;
  return typeof question === 'string' ? question : undefined;
}

function first(input: ToolCall['input'], members: readonly string[]): string | undefined {
  return members.map((member) => input[member]).find((value): value is string => typeof value === 'string');
}

/** From the working directory, where it is in there. */
function within(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

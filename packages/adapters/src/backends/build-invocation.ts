import type { AgentBackend, PromptMode, RunOptions } from './backend.ts';

/** Everything it takes to start a program. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  /** To be set on top of the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What to write to stdin, which is closed afterwards in any case; null for nothing. */
  readonly stdin: string | null;
  readonly cwd?: string;
}

// What Linux takes as one argument.
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/**
 * How to start a backend for one run. Pure. Throws `TypeError` for values that the program would read as flags of its own, for
 * options it has no flag for, and for a prompt that no argument can hold.
 */
export function buildInvocation(backend: AgentBackend, options: RunOptions): Invocation {
  const { name, command, promptMode, env = {} } = backend;
  const { prompt, cwd, extraArgs = [] } = options;
  if (command === '') throw new TypeError(`backend ${name}: names no program`);
  const args = backend.args(options);
  for (const option of ['model', 'resume'] as const) {
    const value = options[option];
    if (value === undefined) continue;
    if (value.startsWith('-')) throw new TypeError(`backend ${name}: ${option} must not begin with a dash`);
    if (!args.some((arg) => arg.includes(value)))
      throw new TypeError(`backend ${name}: has no way to be told ${option}`);
  }
  return {
    command,
    args: [...args, ...extraArgs, ...promptArgs(name, promptMode, prompt)],
    env,
    stdin: promptMode.kind === 'stdin' ? prompt : null,
    ...(cwd !== undefined && { cwd }),
  };
}

function promptArgs(name: string, mode: PromptMode, prompt: string): string[] {
  if (mode.kind !== 'arg') return [];
  const { flag, join = ' ', terminator } = mode;
  if (prompt.includes('\0') || new TextEncoder().encode(prompt).length > MAX_ARGUMENT_BYTES) {
    throw new TypeError(`backend ${name}: no argument can hold this prompt`);
  }
  if (flag !== undefined && join === '=') return [`${flag}=${prompt}`];
  const before = [flag, terminator].filter((part) => part !== undefined);
  // Programs differ in what they make of `-p --yolo`; some take it for two flags.
  if (terminator === undefined && prompt.startsWith('-')) {
    throw new TypeError(`backend ${name}: the prompt begins with a dash and would be read as a flag`);
  }
  return [...before, prompt];
}

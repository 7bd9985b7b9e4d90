import type { AgentBackend, PromptMode, RunOptions } from './backend.ts';

/** Everything needed to start a program. */
export interface Invocation {
  /** The program: a path, or a name that is looked up in the PATH. */
  readonly command: string;
  /** The arguments, including the prompt if the backend passes it as an argument. */
  readonly args: readonly string[];
  /** Variables to add to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The text for stdin, or `null` for no text. stdin is closed afterwards in any case. */
  readonly stdin: string | null;
  /** The working directory of the program. Default: the working directory of this process. */
  readonly cwd?: string;
}

// The maximum length of an argument on Linux.
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/**
 * Builds the command for one run of a backend. Has no side effects.
 * @throws {TypeError} if the program would interpret a value as a flag, if the backend has no flag for an option, or if the prompt cannot be passed
 * as an argument.
 */
export function buildInvocation(backend: AgentBackend, options: RunOptions): Invocation {
  const { name, command, promptMode, env = {} } = backend;
  const { prompt, cwd, extraArgs = [] } = options;
  if (command === '') throw new TypeError(`backend ${name}: the backend must name a program`);
  const args = backend.args(options);
  for (const option of ['model', 'resume'] as const) {
    const value = options[option];
    if (value === undefined) continue;
    if (value.startsWith('-')) throw new TypeError(`backend ${name}: ${option} must not begin with a dash`);
    if (!args.some((arg) => arg.includes(value)))
      throw new TypeError(`backend ${name}: cannot set ${option}: the program has no flag for it`);
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
    throw new TypeError(
      `backend ${name}: the prompt cannot be passed as an argument, because it is too long or contains a NUL: change the prompt`,
    );
  }
  if (flag !== undefined && join === '=') return [`${flag}=${prompt}`];
  const before = [flag, terminator].filter((part) => part !== undefined);
  // Some programs interpret `-p --yolo` as two flags.
  if (terminator === undefined && prompt.startsWith('-')) {
    throw new TypeError(
      `backend ${name}: the prompt begins with a dash, so the program would interpret it as a flag: change the beginning of the prompt`,
    );
  }
  return [...before, prompt];
}

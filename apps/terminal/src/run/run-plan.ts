import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type AgentBackend, createBackendRegistry, type Invocation } from '@proto/adapters';
import { createPermissionRules, type PermissionRules } from '@proto/permissions';
import { readPermissionRules } from '@proto/permissions/node';
import { refuseBytes, refuseFile, WrongFileError } from '../files/peek-file.ts';
import type { SignalSource } from '../process/signals.ts';
import { durationOf } from '../process/units.ts';
import type { RunFormat } from '../view/outputs.ts';
import type { ColorMode } from '../view/terminal-text.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { adapterInvocation } from './run-adapter.ts';
import type { RunAgentOptions } from './run-agent.ts';

/** What to run, and how to show it. */
export interface RunOptions {
  /** The name of the program in texts for users, such as `sjp run`. */
  readonly name: string;
  /** The file that contains the prompt. The file `-` is stdin. Default: the prompt is the argument, or stdin. */
  readonly input?: string;
  /**
   * What is written to stdout: `text` for people, `json` for the last result, `ndjson` for every message, `final` for the text of the last result.
   */
  readonly format: RunFormat;
  /** How permission requests are answered: `ask`, `allow`, `deny`, or `rules:FILE`. */
  readonly permissions: string;
  /** When the run ends: `turn` at the first result, `idle` when no turn and no task is running, `exit` when the agent exits by itself. */
  readonly until: RunAgentOptions['until'];
  /** How long the run may take, including the time that the agent needs to exit, such as `90s`. Default: no limit. */
  readonly timeout?: string;
  /** How long the agent may be silent, such as `2m`. Default: no limit. */
  readonly idleTimeout?: string;
  /** Whether a denied call makes the exit code 8. Default false. */
  readonly failOnDeny?: boolean;
  /** When the format `text` is coloured. */
  readonly color: ColorMode;
  /** The name of the backend whose format the agent uses. Default: the agent uses the protocol. */
  readonly adapter?: string;
  /** The file to which a recording is written. Default: no recording. */
  readonly record?: string;
  /** Whether secrets are removed from the recording and from stderr. Default true. */
  readonly redact?: boolean;
  /** The folder that `~/` represents in rules. Default: a rule with `~/` allows nothing, and denies or asks for every path. */
  readonly home?: string;
  /** Returns environment variables for a command line, in addition to the variables that agents inherit. Default: none. */
  readonly variables?: (commandLine: readonly string[]) => Readonly<Record<string, string>>;
}

/** The process in which a command runs, such as `process`. */
export interface RunProcess extends SignalSource {
  /** The input: the prompt, and the answers of a person if it is a terminal (`isTTY`). */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** The stream to which the messages are written. A terminal has `isTTY`, and may have a width of `columns`. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** The stream to which questions, errors and the agent's stderr are written. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** The environment variables. Agents inherit a selection of these variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the working directory. */
  cwd(): string;
}

/** The plan that results from the options. */
export interface RunPlan {
  readonly prompt: string;
  readonly rules: PermissionRules;
  readonly timeoutMs: number | undefined;
  readonly idleTimeoutMs: number | undefined;
  readonly recorder: Recorder | undefined;
  /** The backend of an agent that does not use the protocol, and its command line; undefined for an agent that uses the protocol. */
  readonly foreign: { readonly backend: AgentBackend; readonly invocation: Invocation } | undefined;
}

/** Reads the options and the files that they name. Rejects if an option is malformed. */
export async function planRun(
  prompt: string | undefined,
  agent: readonly string[],
  options: RunOptions,
  here: RunProcess,
): Promise<RunPlan> {
  const timeoutMs = durationOf('--timeout', options.timeout);
  const idleTimeoutMs = durationOf('--idle-timeout', options.idleTimeout);
  const rules = await rulesOf(options);
  const given = await promptOf(prompt, options, here);
  if (given.trim() === '')
    throw new Error('the prompt is missing: give one as an argument, with --input FILE, or on stdin');
  const foreign = options.adapter === undefined ? undefined : foreignOf(options.adapter, agent, given);
  // An agent that does not speak the protocol decides on permissions by its own rules.
  if (foreign !== undefined && (options.permissions !== 'ask' || options.failOnDeny === true)) {
    throw new Error('with --adapter the agent does not ask for permissions: give its own permission flags after --');
  }
  if (foreign !== undefined && options.record !== undefined) {
    throw new Error("--record cannot be used with --adapter: save the agent's output instead");
  }
  // The recorder is created last, because it creates its file.
  const recorder = options.record === undefined ? undefined : createRecorder(options.record, options.redact, here.env);
  return { prompt: given, rules, timeoutMs, idleTimeoutMs, recorder, foreign };
}

function foreignOf(adapter: string, agent: readonly string[], prompt: string): RunPlan['foreign'] {
  const registry = createBackendRegistry();
  const backend = registry.get(adapter);
  if (backend === undefined)
    throw new Error(`unknown backend "${adapter}"; the known backends are ${registry.names().join(', ')}`);
  return { backend, invocation: adapterInvocation(backend, agent, prompt) };
}

async function promptOf(
  prompt: string | undefined,
  { input, name }: Pick<RunOptions, 'input' | 'name'>,
  { stdin }: RunProcess,
): Promise<string> {
  if (prompt !== undefined && input !== undefined)
    throw new Error('give the prompt only once: as an argument or with --input');
  const source = prompt === '-' || (prompt === undefined && input === undefined) ? '-' : input;
  if (source === undefined) return prompt as string;
  if (source === '-' && stdin.isTTY === true) return '';
  const bytes = source === '-' ? await buffer(stdin) : await readFile(source);
  refuseBytes(bytes, source, name, 'text');
  return withoutByteOrderMark(bytes.toString('utf8'));
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

async function rulesOf({ permissions, name }: Pick<RunOptions, 'permissions' | 'name'>): Promise<PermissionRules> {
  if (permissions === 'ask' || permissions === 'allow' || permissions === 'deny') {
    return createPermissionRules({ default: permissions });
  }
  if (permissions.startsWith('rules:')) {
    const file = permissions.slice('rules:'.length);
    if (file === '') throw new Error('--permissions "rules:" needs the name of a file, as in rules:FILE');
    await refuseFile(file, name, 'text').catch((error: unknown) => {
      // Any other error is reported again, in more detail, when the rules are read.
      if (error instanceof WrongFileError) throw error;
    });
    return readPermissionRules(file);
  }
  throw new Error(`--permissions must be "ask", "allow", "deny" or rules:FILE, not "${permissions}"`);
}

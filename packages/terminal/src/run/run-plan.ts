import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type AgentBackend, createBackendRegistry, type Invocation } from '@proto/adapters';
import { createPermissionRules, type PermissionRules } from '@proto/permissions';
import { readPermissionRules } from '@proto/permissions/node';
import { durationOf } from './duration.ts';
import type { SignalSource } from './signals.ts';
import type { RunFormat } from '../view/outputs.ts';
import type { ColorMode } from '../view/paint.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { adapterInvocation } from './run-adapter.ts';
import type { RunAgentOptions } from './run-agent.ts';

/** What is run, and how it is shown. The texts are as people write them, such as `15s` and `rules:FILE`. */
export interface RunOptions {
  readonly input?: string;
  readonly format: RunFormat;
  readonly permissions: string;
  readonly until: RunAgentOptions['until'];
  readonly timeout?: string;
  readonly idleTimeout?: string;
  readonly failOnDeny?: boolean;
  readonly color: ColorMode;
  readonly adapter?: string;
  readonly record?: string;
  /** False where a recording shall keep its secrets. */
  readonly redact?: boolean;
  /** What `~/` stands for in rules. */
  readonly home?: string;
  /** Gives what a command line gets of variables beside those that agents inherit. Default: nothing. */
  readonly variables?: (commandLine: readonly string[]) => Readonly<Record<string, string>>;
}

/** The process it runs in. */
export interface RunProcess extends SignalSource {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** What the flags mean. */
export interface RunPlan {
  readonly prompt: string;
  readonly rules: PermissionRules;
  readonly timeoutMs: number | undefined;
  readonly idleTimeoutMs: number | undefined;
  readonly recorder: Recorder | undefined;
  /** Absent for an agent of the protocol. */
  readonly foreign: { readonly backend: AgentBackend; readonly invocation: Invocation } | undefined;
}

/** Reads the flags and what they name; rejects where they mean nothing. */
export async function planRun(
  prompt: string | undefined,
  agent: readonly string[],
  options: RunOptions,
  here: RunProcess,
): Promise<RunPlan> {
  const timeoutMs = durationOf('--timeout', options.timeout);
  const idleTimeoutMs = durationOf('--idle-timeout', options.idleTimeout);
  const rules = await rulesOf(options.permissions);
  const given = await promptOf(prompt, options.input, here);
  if (given.trim() === '') throw new Error('there is no prompt: give one as argument, with --input FILE, or on stdin');
  const foreign = options.adapter === undefined ? undefined : foreignOf(options.adapter, agent, given);
  // It decides by its own rules, and takes no others.
  if (foreign !== undefined && (options.permissions !== 'ask' || options.failOnDeny === true)) {
    throw new Error('with --adapter the agent asks for nothing: give it its own flags for permissions, behind --');
  }
  if (foreign !== undefined && options.record !== undefined) {
    throw new Error('with --adapter there is no wire of the protocol to record: keep what the agent prints');
  }
  // Last: what it makes is there from now on.
  const recorder = options.record === undefined ? undefined : createRecorder(options.record, options.redact, here.env);
  return { prompt: given, rules, timeoutMs, idleTimeoutMs, recorder, foreign };
}

function foreignOf(adapter: string, agent: readonly string[], prompt: string): RunPlan['foreign'] {
  const registry = createBackendRegistry();
  const backend = registry.get(adapter);
  if (backend === undefined) throw new Error(`no backend "${adapter}"; known are ${registry.names().join(', ')}`);
  return { backend, invocation: adapterInvocation(backend, agent, prompt) };
}

async function promptOf(prompt: string | undefined, input: string | undefined, { stdin }: RunProcess): Promise<string> {
  if (prompt !== undefined && input !== undefined) throw new Error('there are two prompts: an argument and --input');
  const source = prompt === '-' || (prompt === undefined && input === undefined) ? '-' : input;
  if (source === undefined) return prompt as string;
  if (source !== '-') return readFile(source, 'utf8');
  return stdin.isTTY === true ? '' : text(stdin);
}

async function rulesOf(permissions: string): Promise<PermissionRules> {
  if (permissions === 'ask' || permissions === 'allow' || permissions === 'deny') {
    return createPermissionRules({ default: permissions });
  }
  if (permissions.startsWith('rules:')) return readPermissionRules(permissions.slice('rules:'.length));
  throw new Error(`--permissions takes ask, allow, deny or rules:FILE, not "${permissions}"`);
}

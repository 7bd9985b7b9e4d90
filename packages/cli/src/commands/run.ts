import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { asAgentNotFound } from '@proto/transport-stdio';
import { plain } from '../plain.ts';
import { createAskUser } from '../run/ask-user.ts';
import { parseDuration } from '../run/duration.ts';
import { EXIT, exitCodeOf } from '../run/exit-code.ts';
import type { SignalSource } from '../run/interrupts.ts';
import { createNdjsonOutput, createResultOutput, type RunFormat } from '../run/outputs.ts';
import { type ColorMode, createPaint } from '../run/paint.ts';
import { parsePermissionRules } from '../run/permission-rules.ts';
import { BY_USER, createPermissions, type Decision, type PermissionsOptions } from '../run/permissions.ts';
import { type RunAgentOptions, runAgent } from '../run/run-agent.ts';
import { createTextView } from '../run/text-view.ts';

/** The flags of `sjp run`. */
export interface RunOptions {
  readonly input?: string;
  readonly format: RunFormat;
  readonly permissions: string;
  readonly until: RunAgentOptions['until'];
  readonly timeout?: string;
  readonly failOnDeny?: boolean;
  readonly color: ColorMode;
}

/** The process it runs in. */
export interface RunProcess extends SignalSource {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** `sjp run`: hosts an agent for one prompt. Gives the exit code. */
export async function run(
  prompt: string | undefined,
  agent: readonly [command: string, ...args: string[]],
  options: RunOptions,
  here: RunProcess = process,
): Promise<number> {
  const complain = (message: string) => void here.stderr.write(`sjp run: ${message}\n`);
  const { format } = options;
  const asked = await askedOf(prompt, options, here).catch((error: Error) => error);
  if (asked instanceof Error) {
    complain(asked.message);
    return EXIT.usage;
  }
  const cwd = here.cwd();
  const view =
    format === 'text'
      ? createTextView({ output: here.stdout, paint: createPaint(options.color, here.env, here.stdout), cwd })
      : undefined;
  const output =
    view ??
    (format === 'ndjson'
      ? createNdjsonOutput(here.stdout)
      : createResultOutput(here.stdout, format as 'json' | 'final'));
  const canAsk = here.stdin.isTTY === true && here.stderr.isTTY === true;
  const user = canAsk ? createAskUser(here.stdin, here.stderr, () => view?.endLine()) : undefined;
  const onDecision = (decision: Decision) => {
    if (format !== 'text') here.stderr.write(`${JSON.stringify({ permission: decision })}\n`);
    // What a user has typed is there to see.
    else if (decision.by !== BY_USER) {
      view?.endLine();
      here.stderr.write(`${lineOf(decision)}\n`);
    }
  };
  const permissions = createPermissions({ policy: asked.policy, user, cwd, onDecision });
  const [command, ...args] = agent;
  const end = await runAgent({
    command,
    args,
    cwd,
    env: here.env,
    prompt: asked.prompt,
    until: options.until,
    timeoutMs: asked.timeoutMs,
    signals: here,
    canUseTool: permissions.canUseTool,
    onMessage: async (message) => {
      output.message(message);
      if (here.stdout.writableNeedDrain) await once(here.stdout, 'drain');
    },
    onStderr: (piece) => void here.stderr.write(piece),
  });
  user?.close();
  output.end();
  if (end.stopped === 'timeout') complain(`stopped after ${options.timeout}`);
  else if (end.error !== undefined) here.stderr.write(failureText(end.error, format));
  return exitCodeOf({
    ...end,
    refused: permissions.isUnasked || (options.failOnDeny === true && permissions.isDenied),
  });
}

interface Asked {
  readonly prompt: string;
  readonly policy: PermissionsOptions['policy'];
  readonly timeoutMs: number | undefined;
}

/** What the flags mean; rejects where they mean nothing. */
async function askedOf(prompt: string | undefined, options: RunOptions, here: RunProcess): Promise<Asked> {
  const timeoutMs = options.timeout === undefined ? undefined : parseDuration(options.timeout);
  if (options.timeout !== undefined && timeoutMs === undefined) {
    throw new Error(`--timeout takes a duration such as 15s or 2m, not "${options.timeout}"`);
  }
  const policy = await policyOf(options.permissions);
  const given = await promptOf(prompt, options.input, here);
  if (given.trim() === '') throw new Error('there is no prompt: give one as argument, with --input FILE, or on stdin');
  return { prompt: given, policy, timeoutMs };
}

async function promptOf(prompt: string | undefined, input: string | undefined, { stdin }: RunProcess): Promise<string> {
  if (prompt !== undefined && input !== undefined) throw new Error('there are two prompts: an argument and --input');
  const source = prompt === '-' || (prompt === undefined && input === undefined) ? '-' : input;
  if (source === undefined) return prompt as string;
  if (source !== '-') return readFile(source, 'utf8');
  return stdin.isTTY === true ? '' : text(stdin);
}

async function policyOf(permissions: string): Promise<PermissionsOptions['policy']> {
  if (permissions === 'ask' || permissions === 'allow' || permissions === 'deny') return permissions;
  if (!permissions.startsWith('rules:')) {
    throw new Error(`--permissions takes ask, allow, deny or rules:FILE, not "${permissions}"`);
  }
  const file = permissions.slice('rules:'.length);
  try {
    return parsePermissionRules(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function lineOf({ call, behavior, by }: Decision): string {
  return `? ${call} ${behavior === 'allow' ? 'allowed' : 'denied'}: ${plain(by)}`;
}

/** What went wrong: for people, or as one line of JSON where the output is for programs. */
function failureText(error: unknown, format: RunFormat): string {
  const { message, code = 'error', retryable = false } = error as Error & { code?: string; retryable?: boolean };
  const { searched = [], hint } = asAgentNotFound(error) ?? {};
  if (format === 'json' || format === 'ndjson') {
    const data = searched.length === 0 ? undefined : { searched };
    return `${JSON.stringify({ error: { code, message, hint, retryable, data } })}\n`;
  }
  return [`sjp run: ${message}`, ...searched.map((path) => `  not at ${path}`), ''].join('\n');
}

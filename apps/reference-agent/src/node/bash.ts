import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { commandResult } from '../tools/results.ts';
import { stringMember, type Tool } from '../tools/tool.ts';

/** How long a command may take, in milliseconds, unless its call specifies another time: 2 minutes. */
export const DEFAULT_COMMAND_TIMEOUT_MS = 120_000;
/** How many bytes of the output of a command are kept: 128 KiB. */
export const DEFAULT_MAX_OUTPUT_BYTES = 128 * 1024;

const MAX_TIMEOUT_MS = 600_000;

/** The folder and the limits of commands. */
export interface BashOptions {
  readonly cwd: string;
  readonly maxOutputBytes: number;
  readonly commandTimeoutMs: number;
}

/**
 * Creates `Bash`, which runs a command in a shell. The process group of the command is killed if the command takes too long or the turn is
 * interrupted.
 */
export function createBash(options: BashOptions): Tool {
  return {
    name: 'Bash',
    effect: 'executes',
    run(input, { signal }) {
      const { timeout } = input;
      const commandTimeoutMs = typeof timeout === 'number' && timeout > 0 ? timeout : options.commandTimeoutMs;
      return runCommand(stringMember(input, 'command'), signal, { ...options, commandTimeoutMs });
    },
  };
}

// With these tokens, a command could send messages as the agent of the session, or read the messages of its clients.
const TOKENS = ['SJP_TOKEN', 'CLAUDE_CODE_SESSION_ACCESS_TOKEN'];

function commandEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...Object.fromEntries(TOKENS.map((name) => [name, undefined])) };
}

async function runCommand(
  command: string,
  signal: AbortSignal,
  { cwd, maxOutputBytes, commandTimeoutMs }: BashOptions,
) {
  signal.throwIfAborted();
  // The command leads a new process group, so that its children end with it, except children that start a new session.
  const child = spawn('/bin/sh', ['-c', command], {
    cwd,
    env: commandEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => {
    killGroup(child.pid);
    // A process that has left the group may keep the pipes open. Its output is not needed.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const timeoutMs = Math.min(commandTimeoutMs, MAX_TIMEOUT_MS);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal.addEventListener('abort', kill);
  const forget = killAtExit(kill);
  try {
    const output = collect([child.stdout, child.stderr], maxOutputBytes);
    const [code, by] = (await once(child, 'close')) as [number | null, string | null];
    if (timedOut) throw new Error([`The command took longer than ${timeoutMs} ms.`, output()].join('\n'));
    if (by !== null) throw new Error([`The command was terminated by ${by}.`, output()].join('\n'));
    return commandResult({ output: output(), code: code ?? 1 });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    forget();
  }
}

// One function for each running command, called at exit: nothing else would end a background command.
const running = new Set<() => void>();
const killAll = () => running.forEach((kill) => kill());

/** Kills a command when this process exits. Returns the function that cancels this. */
function killAtExit(kill: () => void): () => void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(kill);
  return () => {
    running.delete(kill);
    if (running.size === 0) process.off('exit', killAll);
  };
}

/** Collects the output of a command. Bytes above the limit are only counted. */
function collect(streams: readonly Readable[], maxBytes: number): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => {
      if (bytes < maxBytes) chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
    });
  }
  return () => {
    const text = Buffer.concat(chunks).toString();
    return bytes > maxBytes ? `${text}\n(${bytes - maxBytes} more bytes)` : text;
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { WatchableTransport } from '@proto/core/internal';
import { defineTransport, type TransportDriver, TransportError } from '@proto/core/transport';
import { AgentProcessError, FolderNotFoundError, type ProcessClose } from './agent-errors.ts';
import { childEnvironment } from './child-environment.ts';
import { type Executable, findExecutable } from './find-executable.ts';
import { inheritEnvironment } from './inherit-environment.ts';
import { ProcessDriver } from './process-driver.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';
import { type System, thisSystem } from './system.ts';

/** A transport to a child process. */
export interface SpawnedAgent extends WatchableTransport {
  /** Fulfils when the child and what it started are gone and what they wrote was read; with how the child ended. */
  readonly closed: Promise<ProcessClose>;
  /** Undefined where nothing could be started. The child leads a process group of this number, except on Windows. */
  readonly pid: number | undefined;
  /** An object of its own, because a transport has no further methods. */
  readonly child: {
    /**
     * Ends it without waiting for it to leave by itself: SIGTERM, and SIGKILL after `killGraceMs`, to it and what it started. What it says
     * to its end is read, and however it then exits is no error.
     */
    terminate(): void;
  };
}

/**
 * Starts an agent and speaks with it over its stdin and stdout. The agent leaves with the transport: `close` ends its input, waits, sends
 * SIGTERM, waits, and kills; `abort` drops what is under way, sends SIGTERM at once, and kills after 2 s (after `killGraceMs`, where that is
 * shorter) or when this process exits; and when this process dies, however that comes, the agent ends too. What the agent started ends with
 * it: on Linux every process that `/proc` shows to come from it, on Windows the tree of its processes, elsewhere its
 * process group.
 * `opened` and `incoming` reject with `AgentNotFoundError`, `FolderNotFoundError` or `AgentProcessError`.
 */
export function spawnAgent(options: SpawnAgentOptions): SpawnedAgent {
  return spawnAgentOn(thisSystem(), options);
}

export function spawnAgentOn(system: System, options: SpawnAgentOptions): SpawnedAgent {
  let pid: number | undefined;
  let driver: ProcessDriver | undefined;
  const connect = (control: Parameters<Parameters<typeof defineTransport>[1]>[0]): TransportDriver => {
    try {
      const child = start(options, system);
      pid = child.pid;
      if (pid !== undefined) return (driver = new ProcessDriver(control, child, options, system));
      child.once('error', (error) => control.closed(cannotStart(error)));
    } catch (error) {
      control.closed(TransportError.is(error) ? error : cannotStart(error));
    }
    return NOTHING;
  };
  const transport = defineTransport('stdio', connect, options);
  return Object.assign(transport, { pid, child: { terminate: () => driver?.terminate() } });
}

/**
 * The file that `spawnAgent` would start, as far as that shows without starting it: a `.js` file for a script that runs with the Node of
 * this process.
 * @throws {AgentNotFoundError} Where there is none.
 * @throws {FolderNotFoundError} Where there is no folder `cwd`.
 */
export function findAgent(options: Pick<SpawnAgentOptions, 'command' | 'cwd' | 'env' | 'installHint'>): string {
  const { file, args } = executableOf(options, thisSystem());
  return args[0] ?? file;
}

/** What could not be started has nothing to release. */
const NOTHING: TransportDriver = { write() {}, close() {}, abort() {} };

function executableOf({ command, cwd, env, installHint }: Parameters<typeof findAgent>[0], system: System): Executable {
  if (cwd !== undefined && !system.isFolder(cwd)) throw new FolderNotFoundError(cwd);
  return findExecutable(command, env ?? inheritEnvironment({}, system.env), system, { cwd, installHint });
}

function start(options: SpawnAgentOptions, system: System): ChildProcessWithoutNullStreams {
  const { args = [], cwd, env = inheritEnvironment({}, system.env) } = options;
  const executable = executableOf({ ...options, env }, system);
  return system.spawn(executable.file, [...executable.args, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: childEnvironment(env, system),
    stdio: 'pipe',
    // A session and a group of its own. On Windows that would only open a console, and take it out of the job that ends with us.
    detached: system.platform !== 'win32',
    windowsHide: true,
  });
}

function cannotStart(cause: unknown): TransportError {
  const code: unknown = Object(cause).code;
  const end = { exitCode: null, signal: null, stderrTail: '', forced: false };
  return new AgentProcessError('connect-failed', `the agent cannot be started (${String(code)})`, end, cause);
}

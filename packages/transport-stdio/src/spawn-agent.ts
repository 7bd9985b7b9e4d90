import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { checkDurations } from '@proto/core/network';
import { defineTransport, type TransportDriver, TransportError, type WatchableTransport } from '@proto/core/transport';
import { AgentProcessError, FolderNotFoundError, type ProcessClose } from './agent-errors.ts';
import { childEnvironment } from './child-environment.ts';
import { type Executable, findExecutable } from './find-executable.ts';
import { inheritEnvironment } from './agent-environment.ts';
import { ProcessDriver } from './process-driver.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';
import { type System, thisSystem } from './system.ts';
import { whyNotStarted } from './why-not-started.ts';

/** A transport to a child process. */
export interface SpawnedAgent extends WatchableTransport {
  /** Fulfils when the child and the processes that it started are gone and their output has been read, with a description of how the child ended. */
  readonly closed: Promise<ProcessClose>;
  /** The process id. Undefined if no child could be started. Except on Windows, the child leads a process group with this id. */
  readonly pid: number | undefined;
  /** The child process. */
  readonly child: {
    /**
     * Ends the child and the processes that it started with SIGTERM, and with SIGKILL after `killGraceMs`. The remaining output of the child is
     * read, and no exit code counts as an error.
     */
    terminate(): void;
  };
}

/**
 * Starts an agent and communicates with it over its stdin and stdout. The agent ends with the transport:
 * - `close` ends its input, waits `closeGraceMs`, sends SIGTERM, waits `killGraceMs`, and sends SIGKILL.
 * - `abort` drops pending messages, sends SIGTERM at once, and SIGKILL after 2 s (after `killGraceMs`, if that is shorter) or when this
 *   process exits.
 * - When this process dies for any reason, the agent ends too.
 *
 * The processes that the agent started end with the agent. On Linux, these are all descendants that can be found in `/proc`. On Windows, they are the
 * agent's process tree, and on other systems its process group. `opened` and `incoming` reject with `AgentNotFoundError`, `FolderNotFoundError` or
 * `AgentProcessError`.
 *
 * @example
 * ```ts
 * import { spawnAgent } from '@proto/transport-stdio';
 *
 * const transport = spawnAgent({ command: 'claude', args: ['--output-format', 'stream-json'], cwd: '/srv/project' });
 * await transport.opened;
 * await transport.close();
 * ```
 *
 * @throws {RangeError} if a time is not a number of at least 0
 */
export function spawnAgent(options: SpawnAgentOptions): SpawnedAgent {
  return spawnAgentOn(thisSystem(), options);
}

export function spawnAgentOn(system: System, options: SpawnAgentOptions): SpawnedAgent {
  checkDurations(options);
  let pid: number | undefined;
  let driver: ProcessDriver | undefined;
  const connect = (control: Parameters<Parameters<typeof defineTransport>[1]>[0]): TransportDriver => {
    let file = '';
    try {
      const env = options.env ?? inheritEnvironment({}, system.env);
      const executable = executableOf({ ...options, env }, system);
      file = executable.file;
      const child = start(executable, { ...options, env }, system);
      pid = child.pid;
      if (pid !== undefined) return (driver = new ProcessDriver(control, child, { ...options, env }, { system, file }));
      child.once('error', (error) => control.closed(cannotStart(error, file, system)));
    } catch (error) {
      control.closed(TransportError.is(error) ? error : cannotStart(error, file, system));
    }
    return NO_CHILD;
  };
  const transport = defineTransport('stdio', connect, options);
  return Object.assign(transport, { pid, child: { terminate: () => driver?.terminate() } });
}

/**
 * Finds the file that `spawnAgent` would start, without starting it. For a script, the file is the script itself, which runs with the Node executable
 * of this process.
 * @throws {AgentNotFoundError} if the executable does not exist.
 * @throws {FolderNotFoundError} if the folder `cwd` does not exist.
 */
export function findAgent(options: Pick<SpawnAgentOptions, 'command' | 'cwd' | 'env' | 'installHint'>): string {
  const { file, args } = executableOf(options, thisSystem());
  return args[0] ?? file;
}

const NO_CHILD: TransportDriver = { write() {}, close() {}, abort() {} };

function executableOf({ command, cwd, env, installHint }: Parameters<typeof findAgent>[0], system: System): Executable {
  if (cwd !== undefined && !system.isFolder(cwd)) throw new FolderNotFoundError(cwd);
  return findExecutable(command, env ?? inheritEnvironment({}, system.env), system, { cwd, installHint });
}

function start(
  executable: Executable,
  { args = [], cwd, env = {} }: SpawnAgentOptions,
  system: System,
): ChildProcessWithoutNullStreams {
  return system.spawn(executable.file, [...executable.args, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: childEnvironment(env, system),
    stdio: 'pipe',
    // On POSIX the child gets a new session and a new process group. On Windows `detached` would open a console and remove the child from the job of
    // this process.
    detached: system.platform !== 'win32',
    windowsHide: true,
  });
}

function cannotStart(cause: unknown, file: string, system: System): TransportError {
  const code: unknown = Object(cause).code;
  const end = { exitCode: null, signal: null, stderrTail: '', killed: false };
  return new AgentProcessError('connect-failed', `the agent ${whyNotStarted(code, file, system)}`, end, cause);
}

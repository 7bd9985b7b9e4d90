import type { StdioOptions } from './stdio-transport.ts';

/** What to start, and how long to wait for it to leave. */
export interface SpawnAgentOptions extends Pick<StdioOptions, 'maxIncomingBytes' | 'maxLineBytes' | 'createDecoder'> {
  /**
   * A path (relative to the working directory of this process), or a name that is looked up on the PATH and where installers put
   * agents. A `.js`, `.mjs` or `.cjs` file runs with the Node of this process. There is never a shell.
   */
  readonly command: string;
  /** Other users of the machine can read these: no secrets, and no prompts. */
  readonly args?: readonly string[];
  /** The folder to start it in. Default: that of this process. */
  readonly cwd?: string;
  /**
   * The whole environment of the child: nothing of this process's is added, and nothing is left out but empty elements of `PATH`.
   * Default: `inheritEnvironment()`, which is that of this process without `SJP_*`, `NODE_OPTIONS` and the variables of an outer
   * session. `pickEnvironment` makes one of an allow-list.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * How long the child has to leave by itself, in milliseconds: after `close` has ended its input, and after each batch it still
   * reads meanwhile. As long is waited for the exit of one that has ended its output. Default `DEFAULT_CLOSE_GRACE_MS`.
   */
  readonly closeGraceMs?: number;
  /** How long it has after SIGTERM before it is killed, in milliseconds. Default `DEFAULT_KILL_GRACE_MS`. */
  readonly killGraceMs?: number;
  /** How much of its stderr is kept for `closed`, in bytes. Default `DEFAULT_MAX_STDERR_TAIL_BYTES`. */
  readonly maxStderrTailBytes?: number;
  /** Is given what it writes on stderr, as it comes. */
  readonly onStderr?: (text: string) => void;
  /** How to install it, for the error when it is not found. */
  readonly installHint?: string;
}

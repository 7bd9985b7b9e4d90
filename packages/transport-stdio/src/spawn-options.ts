import type { StdioOptions } from './stdio-transport.ts';

/** Which agent to start, with which environment, and how long to wait for its exit. */
export interface SpawnAgentOptions extends Pick<StdioOptions, 'maxIncomingBytes' | 'maxLineBytes' | 'createDecoder'> {
  /**
   * A path (relative to the working directory of this process), or a name that is looked up on the PATH and in the folders where installers put
   * agents. A `.js`, `.mjs` or `.cjs` file runs with the Node executable of this process. A shell is never used.
   */
  readonly command: string;
  /** The arguments. Other users of the machine can read them, so pass no secrets and no prompts. */
  readonly args?: readonly string[];
  /** The folder to start the agent in. Default: the working directory of this process. */
  readonly cwd?: string;
  /**
   * The whole environment of the child. No variable of this process is added, and nothing is left out except empty elements in `PATH`. Default:
   * `inheritEnvironment()`, the environment of this process without `SJP_*`, `NODE_OPTIONS` and the variables of an outer session. `pickEnvironment`
   * creates an environment from an allow-list.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * How long the child has to exit by itself after `close` has ended its input, in milliseconds. This time starts again with each batch that the
   * child reads. A child that has ended its output has the same time to exit. Default 2000.
   */
  readonly closeGraceMs?: number;
  /** The time between SIGTERM and SIGKILL, in milliseconds. Default 5000. */
  readonly killGraceMs?: number;
  /** How many bytes of stderr are kept for `closed` and for errors. Default 16 KiB. */
  readonly maxStderrTailBytes?: number;
  /** Called with each piece of text that the child writes to stderr. */
  readonly onStderr?: (text: string) => void;
  /** How to install the agent. The error message contains this text if the agent is not found. */
  readonly installHint?: string;
}

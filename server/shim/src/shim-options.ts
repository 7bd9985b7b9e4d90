import type { Readable, Writable } from 'node:stream';
import type { HeadlessOptions, SignalSource } from '@proto/headless';

/** Which agent a shim stands in for, and how it reaches its host. */
export interface ShimOptions {
  /** The command-line options, as returned by `parseArgv` of `@proto/headless`. */
  readonly options: HeadlessOptions;
  /** The address of the agent: `https://HOST/v1` is a session server, `wss://HOST/` is a WebSocket of the agent itself. */
  readonly url: string;
  /** Returns the token for a host name; undefined if no token is sent. Called for each link. */
  readonly token: (hostname: string) => Promise<string | undefined>;
  /** The file that maps conversations to sessions of the server. A missing file is created. */
  readonly sessionsFile: string;
  /** The working folder of the host. `--continue` continues the last session in that folder. */
  readonly cwd: string;
  /** Whether the host reads messages about the state of the session. */
  readonly readsSessionState: boolean;
  /** Where the host writes messages or the prompt, such as `process.stdin`. */
  readonly stdin: Readable;
  /** Where the host reads the output of the agent, such as `process.stdout`. */
  readonly stdout: Writable;
  /** Called with the text that an agent executable would write to stderr. */
  readonly onStderr: (text: string) => void;
  /** The source of SIGINT, SIGTERM and SIGHUP, such as `process`. */
  readonly signals: SignalSource;
}

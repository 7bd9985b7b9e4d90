import type { Readable, Writable } from 'node:stream';
import type { AgentOptions, AgentOutputOptions, AgentSessionOptions } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { AgentAuth } from './auth/agent-auth.ts';
import type { CleanUp } from './ending.ts';
import type { Variables } from './environment-variables.ts';
import type { FlagOptions, HeadlessOptions, HeadlessRunTurn } from './flags/options.ts';
import type { ProgramHelp } from './flags/parse-argv.ts';
import type { SettingsSource } from './flags/settings.ts';
import type { OpenedSession, OpenSession } from './sessions/opened-session.ts';
import type { SignalSource } from './signals.ts';

/** The values that are known before the session begins. */
export interface HeadlessStart {
  /** The options given on the command line. */
  readonly options: HeadlessOptions;
  /**
   * Registers a function that runs before the process ends, for any reason. The last registered function runs first. All functions together must
   * finish within 2 seconds.
   */
  onExit(cleanUp: CleanUp): void;
}

/** The session options that an agent may set. All other options are set by the command line or by `runHeadless`. */
export interface HeadlessAgentOptions
  extends Partial<Omit<AgentOptions, 'runTurn' | 'stopSignal' | 'session' | 'output'>> {
  /** How the title of the session is generated. */
  readonly session?: Pick<AgentSessionOptions, 'generateTitle'>;
  /** What the agent sends in addition to its messages. */
  readonly output?: Omit<AgentOutputOptions, 'partialMessages' | 'replayUserMessages'>;
}

/** The process that an agent runs in. A test or another program can replace its parts. */
export interface HeadlessProcess {
  /** The arguments after the program name. Default: the arguments of this process. */
  readonly argv?: readonly string[];
  /** The environment variables. Default: the variables of this process. */
  readonly env?: Variables;
  /** The user id. 0 is root, who may not skip permissions outside a sandbox. Default: the user of this process. */
  readonly userId?: number;
  /**
   * The input, which contains prompts or the host's messages. If `isTTY` is `true`, no prompt is read from the input. Default: stdin of this process.
   */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** The output for the host. Default: stdout of this process. With the default, all other writes to stdout are redirected to stderr. */
  readonly stdout?: Writable;
  /** Receives errors, warnings and debug lines. Default: stderr of this process. */
  readonly stderr?: Writable;
  /** The source of signals. Default: this process. */
  readonly signals?: SignalSource;
  /** Called at the end, when everything has been written. Default: `process.exit`. */
  readonly exit?: (code: number) => void;
}

/** The parts of an agent executable. */
export interface HeadlessEnvironment {
  /** The function that runs one turn, which receives a prompt and yields messages. */
  readonly runTurn: HeadlessRunTurn;
  /** The name that `-v` prints after the version. */
  readonly name: string;
  /** The texts in `--help` other than the flags. */
  readonly help?: ProgramHelp;
  /** The options that `runTurn` and `setUp` read. `--explain-flags` lists the flags that have no effect. */
  readonly reads?: readonly (keyof FlagOptions)[];
  /**
   * Runs before the session begins, for example to start tool servers. If this function fails, the error is written to stderr, and the process exits
   * with 1.
   */
  readonly setUp?: (start: HeadlessStart) => void | Promise<void>;
  /** Runs the session start hooks. Called before `setUp`. The first turn waits for the messages of these hooks, and yields them first. */
  readonly sessionStart?: (
    start: HeadlessStart,
  ) => void | readonly WireMessage[] | Promise<void | readonly WireMessage[]>;
  /**
   * Returns more session options, which take precedence over the options from the command line. Called once, after `setUp`, with the session that was
   * opened.
   */
  readonly agentOptions?: (
    start: HeadlessStart,
    session: OpenedSession,
  ) => HeadlessAgentOptions | Promise<HeadlessAgentOptions>;
  /** The agent's sign-in functions, for `auth status`, `auth login` and `auth logout`. Default: the agent needs no sign-in. */
  readonly auth?: AgentAuth;
  /** The source of the agent's settings. Default: none. */
  readonly settings?: SettingsSource;
  /** Opens the store of a session. Default: files in the user's state directory. */
  readonly openSession?: OpenSession | undefined;
  /**
   * Where session files are stored. `--session-layout` and the variable `SJP_SESSION_LAYOUT` override this option. With `own`, they are in the user's
   * state folder. With `published`, they are in the folder that `CLAUDE_CONFIG_DIR` names, where published SDKs and editors look for sessions.
   * Default `own`.
   */
  readonly sessionLayout?: 'own' | 'published';
  /** The process that the agent runs in. Default: this process. */
  readonly process?: HeadlessProcess;
}

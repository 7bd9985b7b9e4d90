import type { Readable, Writable } from 'node:stream';
import type { AgentOptions } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { AgentAuth } from './auth/agent-auth.ts';
import type { CleanUp } from './ending.ts';
import type { Variables } from './environment-variables.ts';
import type { FlagOptions, HeadlessOptions, HeadlessRunTurn } from './flags/options.ts';
import type { ProgramHelp } from './flags/parse-argv.ts';
import type { SettingsSource } from './flags/settings.ts';
import type { OpenSession } from './sessions/opened-session.ts';
import type { SignalSource } from './signals.ts';

/** The values that are known before the session begins. */
export interface HeadlessStart {
  readonly options: HeadlessOptions;
  /** Registers a function that runs before the process ends, for whatever reason it ends. The last registered runs first. */
  onExit(cleanUp: CleanUp): void;
}

/** The options of a session that an agent may set: neither the command line nor the runner decides them. */
export type HeadlessAgentOptions = Partial<
  Omit<
    AgentOptions,
    | 'runTurn'
    | 'sessionId'
    | 'history'
    | 'sessionStore'
    | 'sessionMirror'
    | 'includePartialMessages'
    | 'replayUserMessages'
    | 'interrupted'
  >
>;

/** The parts of an agent executable, and the process that it runs in. */
export interface HeadlessEnvironment {
  readonly runTurn: HeadlessRunTurn;
  /** The name that `-v` prints after the version. */
  readonly name: string;
  /** The texts of `--help` beside the flags. */
  readonly help?: ProgramHelp;
  /** The options that `runTurn` and `setUp` read. `--explain-flags` lists the flags that have no effect. */
  readonly reads?: readonly (keyof FlagOptions)[];
  /** Runs before the session begins, such as to start tool servers. Its error is written to stderr, and ends the process with 1. */
  readonly setUp?: (start: HeadlessStart) => void | Promise<void>;
  /** Hooks of the start of a session. They begin before `setUp`, and the first turn waits for the messages that they give. */
  readonly sessionStart?: (
    start: HeadlessStart,
  ) => void | readonly WireMessage[] | Promise<void | readonly WireMessage[]>;
  /** Returns further options of the session, which win over those of the command line. Called once, after `setUp`. */
  readonly agentOptions?: (start: HeadlessStart) => HeadlessAgentOptions | Promise<HeadlessAgentOptions>;
  /** The sign-in of the agent, for `auth status`, `auth login` and `auth logout`. Default: the agent needs no sign-in. */
  readonly auth?: AgentAuth;
  /** The source of the agent's settings. Default: none. */
  readonly settings?: SettingsSource;
  /** Opens the store of a session. Default: files in the state directory of the user. */
  readonly openSession?: OpenSession | undefined;
  /**
   * Where session files lie, unless `--session-layout` or the variable `SJP_SESSION_LAYOUT` says otherwise. `own`: in the state folder of the
   * user. `published`: in the folder that `CLAUDE_CONFIG_DIR` names, where published SDKs and editors look for sessions. Default `own`.
   */
  readonly sessionLayout?: 'own' | 'published';
  /** The arguments after the name of the program. Default: those of this process. */
  readonly argv?: readonly string[];
  /** The variables. Default: those of this process. */
  readonly env?: Variables;
  /** The id of the user: 0 is root, which may not skip permissions outside a sandbox. Default: the user of this process. */
  readonly userId?: number;
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** Where signals come from. Default: this process. */
  readonly signals?: SignalSource;
  /** Is called last, when everything is written. Default: `process.exit`. */
  readonly exit?: (code: number) => void;
}

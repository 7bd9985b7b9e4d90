import type { Readable, Writable } from 'node:stream';
import type { AgentOptions } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { CleanUp } from './ending.ts';
import type { Variables } from './environment-variables.ts';
import type { FlagOptions, HeadlessOptions, HeadlessRunTurn } from './flags/options.ts';
import type { ProgramHelp } from './flags/parse-argv.ts';
import type { SettingsSource } from './flags/settings.ts';
import type { OpenSession } from './sessions/opened-session.ts';
import type { SignalSource } from './signals.ts';

/** What is known ahead of the session. */
export interface HeadlessStart {
  readonly options: HeadlessOptions;
  /** Registers what is to be done before the process ends, however it does. Runs once, the last registered first. */
  onExit(cleanUp: CleanUp): void;
}

/** What an agent may add to its session: all that neither the command line nor the runner decides. */
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

/** What an agent executable is made of, and the process it runs in. */
export interface HeadlessEnvironment {
  readonly runTurn: HeadlessRunTurn;
  /** The name behind the version that `-v` prints. */
  readonly name: string;
  /** What `--help` says beside the flags. */
  readonly help?: ProgramHelp;
  /** The options that `runTurn` and `setUp` read: what else has no effect is told by `--explain-flags`. */
  readonly reads?: readonly (keyof FlagOptions)[];
  /** Runs ahead of the session: sandboxes, tool servers. What it throws is told on stderr and ends the process with 1. */
  readonly setUp?: (start: HeadlessStart) => void | Promise<void>;
  /** Hooks of the start of a session: they begin ahead of `setUp`, and the first turn waits for the messages they give. */
  readonly sessionStart?: (
    start: HeadlessStart,
  ) => void | readonly WireMessage[] | Promise<void | readonly WireMessage[]>;
  /** Further members of the session, over those of the command line; asked once, behind `setUp`. */
  readonly agentOptions?: (start: HeadlessStart) => HeadlessAgentOptions | Promise<HeadlessAgentOptions>;
  /** Default: none. */
  readonly settings?: SettingsSource;
  /** Where sessions are kept. Default: files in the state directory of the user. */
  readonly openSession?: OpenSession | undefined;
  /** The arguments behind the program's name. Default those of this process. */
  readonly argv?: readonly string[];
  /** Default that of this process. */
  readonly env?: Variables;
  /** Who runs it: 0 is root, who may not skip permissions outside of a sandbox. Default the user of this process. */
  readonly userId?: number;
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** Default this process. */
  readonly signals?: SignalSource;
  /** Called last, with everything written. Default `process.exit`. */
  readonly exit?: (code: number) => void;
}

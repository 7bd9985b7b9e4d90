import type { Readable, Writable } from 'node:stream';
import type { CleanUp } from './ending.ts';
import type { FlagOptions, HeadlessOptions, HeadlessRunTurn } from './options.ts';
import type { SignalSource } from './signals.ts';

/** What is known ahead of the session. */
export interface HeadlessStart {
  readonly options: HeadlessOptions;
  /** Registers what is to be done before the process ends, however it does. Runs once, the last registered first. */
  onExit(cleanUp: CleanUp): void;
}

/** What an agent executable is made of, and the process it runs in. */
export interface HeadlessEnvironment {
  readonly runTurn: HeadlessRunTurn;
  /** The name behind the version that `-v` prints. */
  readonly name: string;
  /** The options that `runTurn` and `setUp` read: what else has no effect is told by `--explain-flags`. */
  readonly reads?: readonly (keyof FlagOptions)[];
  /** Runs ahead of the session: sandboxes, tool servers. What it throws is told on stderr and ends the process with 1. */
  readonly setUp?: (start: HeadlessStart) => void | Promise<void>;
  /** The arguments behind the program's name. Default those of this process. */
  readonly argv?: readonly string[];
  /** Default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** Default this process. */
  readonly signals?: SignalSource;
  /** Called last, with everything written. Default `process.exit`. */
  readonly exit?: (code: number) => void;
}

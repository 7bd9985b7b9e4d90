import type { SessionStore } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from '../flags/options.ts';

/** A session that is new or continued. */
export interface OpenedSession {
  /** The id of the session, which its messages have as `session_id`. */
  readonly sessionId: string;
  /** The earlier messages; each has its `uuid`. Empty for a new session. */
  readonly history: readonly WireMessage[];
  /** The earlier messages of subagents, by their `parent_tool_use_id`. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  /** Stores the messages of the session. Default: memory that ends with the session. */
  readonly store?: SessionStore;
  /** The path of the session's file, for hooks. */
  readonly transcriptPath?: string;
  /** Returns, once, a message for the host that the session is not stored any more; undefined without a loss. */
  takeLoss?(): WireMessage | undefined;
  /** Releases the session. Called before the process ends. */
  close?(): void | Promise<void>;
}

/** The reason why a session cannot be resumed, and its id. The host gets a result that is an error. */
export interface MissingSession {
  /** The reason as a sentence, for stderr and for the result. */
  readonly missing: string;
  /** The id that the command line names. If absent, the result has a random id. */
  readonly sessionId?: string;
  /** The `startup_failure_reason` of that result, for reasons that hosts know. */
  readonly startupFailure?: string;
}

/** The process that asks for a session. */
export interface SessionPlace {
  /** The working directory, an absolute path. */
  readonly cwd: string;
  /** The environment variables. */
  readonly env: Variables;
  /** Writes a line for the user to stderr. */
  readonly warn: (text: string) => void;
}

/** Begins a session, or finds the session that the options name. If it fails, the error is written to stderr, and the process exits with 1. */
export type OpenSession = (
  options: HeadlessOptions,
  place: SessionPlace,
) => OpenedSession | MissingSession | Promise<OpenedSession | MissingSession>;

import type { SessionStore } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from '../flags/options.ts';

/** A new or continued session. */
export interface OpenedSession {
  /** The id of the session, which is the `session_id` in its messages. */
  readonly sessionId: string;
  /** The earlier messages, each with its `uuid`. Empty for a new session. */
  readonly history: readonly WireMessage[];
  /** The earlier messages of subagents, by their `parent_tool_use_id`. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  /** Stores the messages of the session. Default: the messages are kept only in memory until the session ends. */
  readonly store?: SessionStore;
  /** The path of the session's file, for hooks. */
  readonly transcriptPath?: string;
  /** When the session can no longer be stored, the first call returns a message that informs the host. All other calls return `undefined`. */
  takeLoss?(): WireMessage | undefined;
  /** Releases the session. Called before the process ends. */
  close?(): void | Promise<void>;
}

/** A session that cannot be resumed: the reason, and the id of the session. An error result is sent to the host. */
export interface MissingSession {
  /** The reason as a sentence, for stderr and for the result. */
  readonly missing: string;
  /** The id on the command line. If absent, the result contains a random id. */
  readonly sessionId?: string;
  /** The `startup_failure_reason` of the result, if hosts know a code for the reason. */
  readonly startupFailure?: string;
}

/** The process that opens a session. */
export interface SessionPlace {
  /** The working directory, an absolute path. */
  readonly cwd: string;
  /** The environment variables. */
  readonly env: Variables;
  /** Writes a line for the user to stderr. */
  readonly warn: (text: string) => void;
}

/** Starts a session, or finds the session that the options name. If this fails, the error is written to stderr, and the process exits with 1. */
export type OpenSession = (
  options: HeadlessOptions,
  place: SessionPlace,
) => OpenedSession | MissingSession | Promise<OpenedSession | MissingSession>;

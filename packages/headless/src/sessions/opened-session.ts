import type { SessionStore } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from '../flags/options.ts';

/** A session that begins or goes on. */
export interface OpenedSession {
  readonly sessionId: string;
  /** The earlier messages; each has its `uuid`. */
  readonly history: readonly WireMessage[];
  /** The earlier messages of subagents, by their `parent_tool_use_id`. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  readonly store?: SessionStore;
  /** The path of the session's file, for hooks. */
  readonly transcriptPath?: string;
  /** Returns a message for the host that the session could not be kept, once. */
  takeLoss?(): WireMessage | undefined;
  close?(): void | Promise<void>;
}

/** The reason why a session cannot be resumed, and its id. The host gets a result that is an error. */
export interface MissingSession {
  readonly missing: string;
  readonly sessionId?: string;
  /** The `startup_failure_reason` of that result, for reasons that hosts know. */
  readonly startupFailure?: string;
}

/** The process that asks for a session. */
export interface SessionPlace {
  readonly cwd: string;
  readonly env: Variables;
  /** Writes a line for people. */
  readonly warn: (text: string) => void;
}

/** Begins a session, or finds the session that the options name. Its error is written to stderr, and ends the process with 1. */
export type OpenSession = (
  options: HeadlessOptions,
  place: SessionPlace,
) => OpenedSession | MissingSession | Promise<OpenedSession | MissingSession>;

import type { SessionStore } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from '../flags/options.ts';

/** A session that begins, or goes on. */
export interface OpenedSession {
  readonly sessionId: string;
  /** What was said before; each message under its `uuid`. */
  readonly history: readonly WireMessage[];
  /** What its subagents have said, by the `parent_tool_use_id` of each. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  readonly store?: SessionStore;
  /** The file it is kept in, for hooks. */
  readonly transcriptPath?: string;
  /** What could not be kept, as a message for the host; once. */
  takeLoss?(): WireMessage | undefined;
  close?(): void | Promise<void>;
}

/** There is nothing to resume: why, and the id that was asked for. Told as a result that is an error. */
export interface MissingSession {
  readonly missing: string;
  readonly sessionId?: string;
  /** The `startup_failure_reason` of that result, where hosts know one. */
  readonly startupFailure?: string;
}

/** The process that asks for a session. */
export interface SessionPlace {
  readonly cwd: string;
  readonly env: Variables;
  /** Writes a line for people. */
  readonly warn: (text: string) => void;
}

/** Begins a session, or finds the one that the options name. What it throws is told on stderr and ends the process with 1. */
export type OpenSession = (
  options: HeadlessOptions,
  place: SessionPlace,
) => OpenedSession | MissingSession | Promise<OpenedSession | MissingSession>;

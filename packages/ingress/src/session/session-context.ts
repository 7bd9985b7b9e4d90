import type { Account } from '../auth/accounts.ts';
import type { EventLog, StoredEvent } from '../log/event-log.ts';
import type { RateLimit } from '../rate/rate-limit.ts';
import type { StreamFormat } from '../stream/stream-format.ts';

/** What a session is made with, and what its creator said of it. */
export interface SessionRecord {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly archived: boolean;
}

/** What a session needs beside its own state. */
export interface SessionContext {
  readonly log: EventLog;
  readonly now: () => number;
  readonly stallTimeoutMs: number;
  readonly agents?: SessionAgents | undefined;
  /** What the server's own answers may add to the log, in UTF-16 units, by session and account. */
  readonly answerRate: RateLimit;
  /** Told of what was left out of a session. */
  readonly onError: (error: unknown) => void;
}

/** Who a viewer is, and how it is told. */
export interface ReaderManner {
  readonly account?: Account | undefined;
  /** Default: that of event streams. */
  readonly format?: StreamFormat;
  /** What it is not told beside what no reader is. */
  readonly skips?: (event: StoredEvent) => boolean;
}

/** Why a session has no agent, as the error of an answer with status 502 says it. */
export interface AgentFailure {
  /** A word for programs, such as `agent_exited`. */
  readonly type: string;
  readonly message: string;
}

/** Whoever runs the agents of sessions beside the server, one for each. It attaches them as workers, like those from elsewhere. */
export interface SessionAgents {
  /** A session was made, or a client reads it or sends to it: called each time, and must not throw. */
  need(session: string): void;
  /** Why a session has no agent and gets none; undefined where it has one, or may have one. What clients send is refused with it. */
  failureOf(session: string): AgentFailure | undefined;
  /** The session was put away. */
  end(session: string): void;
}

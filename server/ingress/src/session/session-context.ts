import type { Clock } from '@proto/core/reconnect';
import type { Account } from '../auth/accounts.ts';
import type { EventLog, StoredEvent } from '../log/event-log.ts';
import type { QuestionNotifier } from '../notify/question-notifier.ts';
import type { RateLimit } from '../rate/rate-limit.ts';
import type { StreamFormat } from '../stream/stream-format.ts';

export interface SessionRecord {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly archived: boolean;
}

/** The parts of the server that a session uses. */
export interface SessionContext {
  readonly log: EventLog;
  readonly now: () => number;
  readonly stallTimeoutMs: number;
  /** The name of this node; absent if this is the only node. */
  readonly node?: string | undefined;
  /** The timers of the server. Default: the timers of this machine. */
  readonly clock?: Clock | undefined;
  readonly agents?: SessionAgents | undefined;
  /** Reports questions that wait. Default: nobody is notified. */
  readonly notifier?: QuestionNotifier | undefined;
  /** How much the server's own answers may add to the log, in UTF-16 units, by session and account. */
  readonly answerRate: RateLimit;
  /** Called when a stream of a session was opened or has ended, with the number of open streams. */
  readonly onReaders?: ((session: string, open: number) => void) | undefined;
  /** Called with a `SkippedError` for parts of a session that were left out. */
  readonly onError: (error: unknown) => void;
}

/** How a viewer reads: its account, and the format of its stream. */
export interface ReaderManner {
  readonly account?: Account | undefined;
  /** Default: the format of event streams. */
  readonly format?: StreamFormat;
  /** Returns true for other events that this viewer must not receive. */
  readonly skips?: (event: StoredEvent) => boolean;
}

/** Why a session has no agent, as in the error of a response with status 502. */
export interface AgentFailure {
  /** A code for programs, such as `agent_exited`. */
  readonly type: string;
  /** What went wrong, as a text for users. */
  readonly message: string;
}

/** Runs agents for the sessions of a server, one for each session, and attaches them as workers. */
export interface SessionAgents {
  /** Called each time a session is created, and each time a driver reads it or sends to it. Must not throw. */
  need(session: string): void;
  /**
   * Why a session has no agent and will not get an agent; undefined if it has or may get one. Messages from clients are refused with this failure.
   */
  failureOf(session: string): AgentFailure | undefined;
  /** Called when a session was archived. */
  end(session: string): void;
  /**
   * Called when another node has taken over the session or may take it over. This node's agent must end within 5 seconds, and messages that it still
   * sends are refused. If this member is absent, `end` is called. `need` is called again if this node gets the session back.
   */
  lose?(session: string): void;
}

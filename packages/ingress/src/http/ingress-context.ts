import type { AccountChecks } from '../auth/account-checks.ts';
import type { Tickets } from '../auth/tickets.ts';
import type { WorkerTokens } from '../auth/worker-tokens.ts';
import type { EventLog } from '../log/event-log.ts';
import type { RateLimits } from '../rate/rate-limits.ts';
import type { Sessions } from '../session/sessions.ts';
import type { OpenSink } from '../stream/event-sink.ts';
import type { Guarded } from './guard.ts';

/** 32 MiB: a batch of an old worker has 10, and a single larger message is still sent. */
export const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Event streams of one session at a time. */
export const DEFAULT_MAX_STREAMS = 100;
/** Sessions in memory at a time; one leaves when nobody uses it, or for another when nobody reads it. */
export const DEFAULT_MAX_SESSIONS = 10_000;
/** Sessions in the log, whether anybody uses them or not; a further one is refused. */
export const DEFAULT_MAX_STORED_SESSIONS = 10_000;
/** An approver may send this much more than the longest request that is open has: 1 MiB. */
export const MAX_ANSWER_SPARE_BYTES = 1024 * 1024;

/** What the routes share. */
export interface IngressContext {
  readonly log: EventLog;
  readonly sessions: Sessions;
  readonly accounts: AccountChecks;
  readonly tickets: Tickets;
  /** Settles when the secret of the tokens is known. */
  readonly workerTokens: () => Promise<WorkerTokens>;
  readonly publicUrl: string | undefined;
  readonly maxBodyBytes: number;
  readonly maxStreams: number;
  readonly rates: RateLimits;
  /** Told of what went wrong, or was left out. */
  readonly onError: (error: unknown) => void;
}

/** What hono carries along with a request of ours. */
export interface HonoTypes {
  Bindings: { readonly openSink?: OpenSink };
  Variables: Guarded;
}

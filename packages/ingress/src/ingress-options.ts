import type { Clock } from '@proto/core/transport';
import type { Accounts } from './auth/accounts.ts';
import type { GuardOptions } from './http/guard.ts';
import type { EventLog } from './log/event-log.ts';
import type { SessionAgents } from './session/session-context.ts';

/** As often as the published clients expect it; they give up after 45 s of silence. */
export const DEFAULT_KEEPALIVE_MS = 15_000;

/** What an ingress is made of. */
export interface IngressOptions extends GuardOptions {
  /** Where sessions are kept. Whoever opened it closes it, after `drain`. */
  readonly log: EventLog;
  /** Who may do what. While they cannot be asked (see `Accounts`), everybody is refused with 503. */
  readonly accounts: Accounts;
  /** Runs the agents of sessions. Default: workers come from elsewhere. */
  readonly agents?: SessionAgents | undefined;
  /** Signs the tokens of workers; at least 32 characters. Default: one made at random and kept in the log, so that they outlive a restart. */
  readonly secret?: string | undefined;
  /**
   * How clients reach the server from outside, such as `https://sessions.example`: what workers are told as `api_base_url`. Needed behind a
   * proxy with TLS, since a scheme that a proxy claims is not trusted. Default: the scheme of this server, and the `Host` of the request.
   */
  readonly publicUrl?: string | undefined;
  readonly workerTokenMs?: number | undefined;
  readonly ticketMs?: number | undefined;
  readonly keepaliveMs?: number | undefined;
  readonly stallTimeoutMs?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** Event streams of one session at a time. */
  readonly maxStreams?: number | undefined;
  /** Sessions in memory at a time. Default 10 000. */
  readonly maxSessions?: number | undefined;
  /** Sessions in the log; a further one is refused. Default 10 000. */
  readonly maxStoredSessions?: number | undefined;
  /** Of one account, or of the worker of one session; five seconds' worth may come at once. */
  readonly maxRequestsPerSecond?: number | undefined;
  /** Of one driver, or of the worker of one session; a second's worth may come at once. Default 256 MiB. Others may send less. */
  readonly maxBytesPerSecond?: number | undefined;
  /** How long a WebSocket may be silent before it counts as gone; it is asked three times in that time. Default 45 s. */
  readonly silenceMs?: number | undefined;
  /** The time of WebSockets. Default: that of this machine. */
  readonly clock?: Clock | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /**
   * Told of what went wrong within the server itself, and was answered with 500 or 503; of accounts in trouble, once; and by a
   * `SkippedError` of what was left out of a session, because it is damaged or above a limit.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

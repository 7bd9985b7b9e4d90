import type { Clock } from '@proto/core/internal';
import type { Accounts } from './auth/accounts.ts';
import type { GuardOptions } from './http/guard.ts';
import type { EventLog } from './log/event-log.ts';
import type { SessionAgents } from './session/session-context.ts';

/** What the options of `createIngress` and `serve` are where they are left out: sizes in bytes, times in milliseconds. */
export const ingressDefaults = {
  /** Four hours. */
  workerTokenMs: 4 * 60 * 60 * 1000,
  ticketMs: 60_000,
  /** As often as the published clients expect it; they give up after 45 s of silence. */
  keepaliveMs: 15_000,
  stallTimeoutMs: 60_000,
  /** 32 MiB: a batch of an old worker has 10 MiB, and a single larger message is still sent. */
  maxBodyBytes: 32 * 1024 * 1024,
  maxStreams: 100,
  maxSessions: 10_000,
  maxStoredSessions: 10_000,
  maxRequestsPerSecond: 5000,
  /** 256 MiB. */
  maxBytesPerSecond: 256 * 1024 * 1024,
  requestTimeoutMs: 60_000,
  maxConnections: 10_000,
} as const;

/** The options of an ingress. */
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
  /** How long the token of a worker holds. Default 4 hours. */
  readonly workerTokenMs?: number | undefined;
  /** How long a ticket holds. Default 60 s. */
  readonly ticketMs?: number | undefined;
  /** How often an event stream says that it is alive. Default 15 s. */
  readonly keepaliveMs?: number | undefined;
  /** After how long a reader that takes nothing is disconnected. Default 60 s. */
  readonly stallTimeoutMs?: number | undefined;
  /** Of the body of a request, and of a message on a WebSocket. Default 32 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Event streams of one session at a time. Default 100. */
  readonly maxStreams?: number | undefined;
  /** Sessions in memory at a time; one leaves when nobody uses it, or for another when nobody reads it. Default 10 000. */
  readonly maxSessions?: number | undefined;
  /** Sessions in the log, whether anybody uses them or not; a further one is refused. Default 10 000. */
  readonly maxStoredSessions?: number | undefined;
  /** Of one account, or of the worker of one session; five seconds' worth may come at once. Default 5000. */
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

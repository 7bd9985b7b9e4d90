import type { Clock } from '@proto/core/reconnect';
import type { Accounts } from './auth/accounts.ts';
import type { ClusterOptions } from './cluster/cluster-options.ts';
import type { GuardOptions } from './http/guard.ts';
import type { EventLog } from './log/event-log.ts';
import type { NotifyOptions } from './notify/notify-options.ts';
import type { IngressObserver, MetricsEndpoint } from './observe/observer.ts';
import type { SessionAgents } from './session/session-context.ts';

/** The defaults of the options of `createIngress` and `listen`: sizes in bytes, times in milliseconds. */
export const ingressDefaults = {
  /** How long a worker token is valid: four hours. */
  workerTokenMs: 4 * 60 * 60 * 1000,
  ticketMs: 60_000,
  /** The interval that published clients expect. These clients give up after 45 s without data. */
  keepaliveMs: 15_000,
  stallTimeoutMs: 60_000,
  /** The maximum size of a body: 33 MiB. A single message may have 32 MiB, and is sent inside an envelope. */
  maxBodyBytes: 33 * 1024 * 1024,
  maxStreams: 100,
  maxSessions: 10_000,
  maxStoredSessions: 10_000,
  maxRequestsPerSecond: 5000,
  /** The rate of bytes for each driver and worker: 256 MiB per second. */
  maxBytesPerSecond: 256 * 1024 * 1024,
  requestTimeoutMs: 60_000,
  maxConnections: 10_000,
} as const;

/** The limits of an ingress: times in milliseconds, sizes in bytes, and numbers of streams, sessions and requests. */
export interface IngressLimits {
  /** How long a worker token is valid, in milliseconds. Default 4 hours. */
  readonly workerTokenMs?: number | undefined;
  /** How long a ticket is valid, in milliseconds. Default 60 s. */
  readonly ticketMs?: number | undefined;
  /** The interval of keep-alives on event streams, in milliseconds. Default 15 s. */
  readonly keepaliveMs?: number | undefined;
  /** How long a reader may read nothing before it is disconnected, in milliseconds. Default 60 s. */
  readonly stallTimeoutMs?: number | undefined;
  /** The maximum size of a request body, and of a message on a WebSocket, in bytes. Default 33 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** The maximum number of event streams of one session at a time. Default 100. */
  readonly maxStreams?: number | undefined;
  /**
   * The maximum number of sessions in memory. A session is removed from memory when it is not used. If another session needs the room, a session
   * without readers is removed earlier. Default 10 000.
   */
  readonly maxSessions?: number | undefined;
  /** The maximum number of sessions in the log. At this number, the server refuses to create another session. Default 10 000. */
  readonly maxStoredSessions?: number | undefined;
  /**
   * The maximum number of requests per second for each account, and for the worker of each session. A burst may contain as many requests as are
   * allowed in five seconds. Default 5000.
   */
  readonly maxRequestsPerSecond?: number | undefined;
  /**
   * The maximum number of bytes per second for each driver, and for the worker of each session. A burst may contain as many bytes as are allowed in
   * one second. Other roles may send fewer bytes. Default 256 MiB.
   */
  readonly maxBytesPerSecond?: number | undefined;
  /** How long a WebSocket may receive nothing before it is closed, in milliseconds. The server sends three pings in that time. Default 45 s. */
  readonly silenceMs?: number | undefined;
}

/** The options of an ingress. */
export interface IngressOptions extends GuardOptions {
  /** The store of the sessions. The caller must close the store after `drain`. */
  readonly log: EventLog;
  /** The accounts and their rights. While the accounts are not available (see `Accounts`), every request is refused with status 503. */
  readonly accounts: Accounts;
  /** Runs agents for the sessions. Default: the server runs no agents, and workers connect by themselves. */
  readonly agents?: SessionAgents | undefined;
  /**
   * The secret that signs worker tokens. The secret must have at least 32 characters. Default: a random secret that is stored in the log, so that
   * tokens stay valid after a restart.
   */
  readonly secret?: string | undefined;
  /**
   * The address under which clients reach the server, such as `https://sessions.example`. Workers receive this address as `api_base_url`. If a proxy
   * terminates TLS for the server, this option is needed, because the server does not trust a proxy's headers for the scheme. Default: the scheme of
   * this server, and the `Host` of the request.
   */
  readonly publicUrl?: string | undefined;
  /** Times and sizes. Default: the defaults of `IngressLimits`. */
  readonly limits?: IngressLimits | undefined;
  /** The timers of the server, so that a test or a simulation can control the time. Default: the timers of this machine. */
  readonly clock?: Clock | undefined;
  /**
   * Shares the sessions of the store with other servers. Each session is served by one server at a time, and clients may send requests for the
   * session to any of the servers. All servers must have the same accounts, names and limits. Default: no other server uses the store.
   */
  readonly cluster?: ClusterOptions | undefined;
  /**
   * Answers requests for addresses that are not endpoints of the ingress, such as the files of a page that uses the ingress from the same origin.
   * Called after the host and origin of the request were checked, but no token is checked. `address` is the address of the client, or of the proxy in
   * front of this server; absent if it is not known. Default: status 404.
   */
  readonly fallback?:
    | ((request: Request, client: { readonly address: string | undefined }) => Response | Promise<Response>)
    | undefined;
  /**
   * Posts a signed webhook when a question of an agent has waited for a time: a permission, an elicitation or a dialog. Each question is reported once. A
   * further webhook follows when the question is settled. What fails is sent again, up to 15 times within about an hour and a half. Webhooks contain no
   * text of messages. Default: nobody is notified.
   */
  readonly notify?: NotifyOptions | undefined;
  /** Is notified of answers and appends, for metrics and logs. Default: no observer, and nothing is measured. */
  readonly observer?: IngressObserver | undefined;
  /** Serves `GET /metrics` to clients that send its token. Default: the endpoint does not exist. */
  readonly metrics?: MetricsEndpoint | undefined;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /**
   * Called with errors of the server itself, which are answered with status 500 or 503. Called once with each `AccountsError`. Called with a
   * `SkippedError` for parts of a session that were skipped because they are damaged or exceed a limit.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

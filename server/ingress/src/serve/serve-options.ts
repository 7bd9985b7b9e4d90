import type { Account } from '../auth/accounts.ts';
import type { GuardOptions } from '../http/guard.ts';
import type { Ingress } from '../ingress.ts';
import type { IngressOptions } from '../ingress-options.ts';
import type { EventLog, EventLogOptions } from '../log/event-log.ts';
import type { EventLogWarning } from '../log/store-file.ts';
import type { JwtAccountsOptions } from '../node/jwt-accounts.ts';
import type { ListenLimits, ListenOptions } from '../node/listen.ts';
import type { SessionAgents } from '../session/session-context.ts';

type Retention = Pick<EventLogOptions, 'maxAgeMs' | 'maxBytes'>;

/**
 * Where sessions are stored: in memory until the server ends; in a file, for which `libsql` has to be installed; or in the log that `open` returns,
 * such as `openPostgresEventLog` of `@proto/log-postgres`.
 */
export type StoreOptions = 'memory' | { readonly file: string } | { open(retention: Retention): Promise<EventLog> };

/**
 * Who may use the server: holders of the accounts in a file (see `openAccountsFile`), holders of one token, who may do everything, or every client,
 * which may then do everything. `jwt` also accepts tokens of an issuer.
 */
export type AccessOptions = { readonly jwt?: JwtAccountsOptions | undefined } & (
  | { readonly accountsFile: string }
  | { readonly token: string }
  | { readonly everybody: true }
);

/** A server for the parts of this process, such as agents and a page. Use it after `serve` has fulfilled. */
export interface LocalServer {
  /** Answers a request of this process, whatever its host and port are. */
  readonly fetch: Ingress['fetch'];
  /** The token of an account of this process, a driver. Never show it. */
  readonly token: string;
  /** The account of a token, or of a client without a token; undefined if there is none. */
  readonly authenticate: (token: string | undefined) => Promise<Account | undefined>;
}

/** The agents of a server, such as `createLocalAgents` of `@proto/remote/worker` creates. */
export interface LocalAgents extends SessionAgents {
  /** Stops all agents. */
  close(): Promise<void>;
  /** Kills all agents. */
  abort(): void;
}

/** A page that a server has in addition to its endpoints. */
export interface ServedPage {
  /** Answers requests whose address is not an endpoint of the server. */
  readonly fetch: NonNullable<IngressOptions['fallback']>;
  /** Returns the address of the page for holders of a token; undefined if visitors have to sign in. */
  link(base: string, token: string | undefined): Promise<string | undefined>;
  /** Releases the resources of the page. Called when the server closes. */
  close(): void;
}

/** What a server of sessions serves, to whom, and where. */
export interface ServeOptions {
  /** Where sessions are stored: in memory until the server ends, in a file, or in the event log that `open` returns. */
  readonly store: StoreOptions;
  /** The bytes that are kept of each session, and for how many milliseconds. Default: 256 MiB, for seven days. */
  readonly retention?: Retention | undefined;
  /** Who may use the server, and with which rights. */
  readonly access: AccessOptions;
  /** Where the server listens, and its names for clients. Default: a free port of `127.0.0.1`, which only this machine reaches. */
  readonly listen?: (GuardOptions & Pick<ListenOptions, 'hostname' | 'port' | 'publicUrl'>) | undefined;
  /** Creates agents for the sessions, such as with `createLocalAgents` of `@proto/remote/worker`. Default: workers connect by themselves. */
  readonly agents?: ((server: LocalServer) => LocalAgents) | undefined;
  /** Creates a page that is served from the same origin. Default: no page. */
  readonly page?: ((server: LocalServer) => ServedPage | Promise<ServedPage>) | undefined;
  /** Serves `GET /metrics` to holders of this token, at least 16 characters. `prom-client` has to be installed. Default: no metrics. */
  readonly metricsToken?: string | undefined;
  /** Times and sizes. Default: those of `ListenLimits`. */
  readonly limits?: ListenLimits | undefined;
  /** Shares the store with other servers. Default: no other server uses the store. */
  readonly cluster?: IngressOptions['cluster'];
  /** Receives answers and appends, for metrics and logs. Default: no observer. */
  readonly observer?: IngressOptions['observer'];
  /** Called before the store is opened, once for each of its files that other users of this machine can use. */
  readonly onWarning?: ((warning: EventLogWarning) => void) | undefined;
  /** Called when the file of accounts can be read again, after an `AccountsError`. */
  readonly onAccountsRestored?: (() => void) | undefined;
  /** Called with errors of the server itself, as `onError` of `IngressOptions`. */
  readonly onError?: IngressOptions['onError'];
}

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
 * Where sessions are stored: in memory until the server ends, in a file (which requires `libsql` to be installed), or in the log that `open` returns,
 * such as `openPostgresEventLog` of `@proto/log-postgres`.
 */
export type StoreOptions = 'memory' | { readonly file: string } | { open(retention: Retention): Promise<EventLog> };

/**
 * Who may use the server: clients with a token of an account in a file (see `openAccountsFile`), clients with one given token, or every client. In
 * the last two cases the client may do everything. With `jwt`, tokens of an issuer are accepted too.
 */
export type AccessOptions = { readonly jwt?: JwtAccountsOptions | undefined } & (
  | { readonly accountsFile: string }
  | { readonly token: string }
  | { readonly everybody: true }
);

/** A server as seen by other parts of this process, such as agents and a page. Use this object only after `serve` has fulfilled. */
export interface LocalServer {
  /** Answers a request from this process. The host and port in the request do not matter. */
  readonly fetch: Ingress['fetch'];
  /** The token of an account that only this process uses. The account has the role `driver`. Never show the token. */
  readonly token: string;
  /** Returns the account of a token, or of a client without a token; undefined if no account matches. */
  readonly authenticate: (token: string | undefined) => Promise<Account | undefined>;
}

/** The agents of a server, for example created by `createLocalAgents` of `@proto/remote/worker`. */
export interface LocalAgents extends SessionAgents {
  /** Stops all agents. */
  close(): Promise<void>;
  /** Kills all agents. */
  abort(): void;
}

/** A web page that a server serves in addition to its endpoints. */
export interface ServedPage {
  /** Answers requests whose address is not an endpoint of the server. */
  readonly fetch: NonNullable<IngressOptions['fallback']>;
  /** Returns the address of the page that signs in the holder of `token`; undefined if visitors have to sign in. */
  link(base: string, token: string | undefined): Promise<string | undefined>;
  /** Releases the resources of the page. Called when the server closes. */
  close(): void;
}

/** The options of a session server: what it serves, to whom, and where. */
export interface ServeOptions {
  /** Where sessions are stored: in memory until the server ends, in a file, or in the event log that `open` returns. */
  readonly store: StoreOptions;
  /** How many bytes of each session are kept, and for how many milliseconds. Default: 256 MiB and seven days. */
  readonly retention?: Retention | undefined;
  /** Who may use the server, and with which rights. */
  readonly access: AccessOptions;
  /** Where the server listens, and the host names that clients may use. Default: a free port on `127.0.0.1`, which only this machine can reach. */
  readonly listen?: (GuardOptions & Pick<ListenOptions, 'hostname' | 'port' | 'publicUrl'>) | undefined;
  /** Creates agents for the sessions, for example with `createLocalAgents` of `@proto/remote/worker`. Default: workers connect by themselves. */
  readonly agents?: ((server: LocalServer) => LocalAgents) | undefined;
  /** Creates a page that is served from the same origin. Default: no page. */
  readonly page?: ((server: LocalServer) => ServedPage | Promise<ServedPage>) | undefined;
  /**
   * Serves `GET /metrics` to clients that send this token, which must have at least 16 characters. `prom-client` must be installed. Default: no
   * metrics.
   */
  readonly metricsToken?: string | undefined;
  /** Times and sizes. Default: the defaults of `ListenLimits`. */
  readonly limits?: ListenLimits | undefined;
  /** Shares the store with other servers. Default: no other server uses the store. */
  readonly cluster?: IngressOptions['cluster'];
  /** Posts a webhook when a question waits. Default: nobody is notified. */
  readonly notify?: IngressOptions['notify'];
  /** Is notified of answers and appends, for metrics and logs. Default: no observer. */
  readonly observer?: IngressOptions['observer'];
  /** Called before the store is opened, once for each of its files that other users of this machine can use. */
  readonly onWarning?: ((warning: EventLogWarning) => void) | undefined;
  /** Called when the accounts file can be read again after an `AccountsError`. */
  readonly onAccountsRestored?: (() => void) | undefined;
  /** Called with errors of the server itself, like `onError` of `IngressOptions`. */
  readonly onError?: IngressOptions['onError'];
}

// No type of the driver stands here: users of this package need not have its types.

/** A server of PostgreSQL, and how to connect to it. */
export interface PostgresOptions {
  /**
   * `postgres://USER@HOST:PORT/DATABASE`. Without a password in it, libpq's `PGPASSWORD` and `PGPASSFILE` count. `sslmode=verify-full` encrypts and
   * checks the certificate; `sslrootcert=FILE` names the authority.
   */
  readonly url: string;
  /** Called for each connection, so that a password may change. Default: the password of the URL, or of the environment. */
  readonly password?: () => string | Promise<string>;
  /** The schema of the tables. Default `sjp`. */
  readonly schema?: string;
  /** The most connections of this node, without the one that listens. Default 10. */
  readonly maxConnections?: number;
  /** The longest time of a statement, in milliseconds; the server ends a longer one. Default 10 000. */
  readonly statementTimeoutMs?: number;
}

/** The defaults of {@link PostgresOptions}. */
export const postgresDefaults = { schema: 'sjp', maxConnections: 10, statementTimeoutMs: 10_000 } as const;

/** A setting of the server with which acknowledged writes may be lost. */
export interface DurabilityWarning {
  /** The name of the setting of the PostgreSQL server. */
  readonly setting: 'fsync' | 'full_page_writes' | 'synchronous_commit' | 'synchronous_standby_names';
  /** The value that the setting has; empty if it is not set. */
  readonly value: string;
  /** What may happen, and what to set. */
  readonly message: string;
}

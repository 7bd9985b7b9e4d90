// This file uses no types of the driver, so that users of this package do not need them.

/** A PostgreSQL server, and how to connect to it. */
export interface PostgresOptions {
  /**
   * `postgres://USER@HOST:PORT/DATABASE`. If the address contains no password, libpq's `PGPASSWORD` and `PGPASSFILE` are used. `sslmode=verify-full`
   * encrypts the connection and checks the certificate, and `sslrootcert=FILE` names the certificate authority.
   */
  readonly url: string;
  /** Returns the password. Called for each connection, so that the password may change. Default: the password in the URL or the environment. */
  readonly password?: () => string | Promise<string>;
  /** The schema that contains the tables. Default `sjp`. */
  readonly schema?: string;
  /** The maximum number of connections of this node, not counting the connection that listens. Default 10. */
  readonly maxConnections?: number;
  /** The maximum duration of a statement, in milliseconds. The server cancels a statement that takes longer. Default 10 000. */
  readonly statementTimeoutMs?: number;
}

/** The defaults of {@link PostgresOptions}. */
export const postgresDefaults = { schema: 'sjp', maxConnections: 10, statementTimeoutMs: 10_000 } as const;

/** A server setting with which acknowledged writes may be lost. */
export interface DurabilityWarning {
  /** The name of the setting of the PostgreSQL server. */
  readonly setting: 'fsync' | 'full_page_writes' | 'synchronous_commit' | 'synchronous_standby_names';
  /** The current value of the setting; empty if it is not set. */
  readonly value: string;
  /** What may happen, and what to set. */
  readonly message: string;
}

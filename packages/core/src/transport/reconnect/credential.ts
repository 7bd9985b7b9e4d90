/** The credential of a client. The token is sent as `Authorization: Bearer`. */
export interface Credential {
  /** The token, without `Bearer`. */
  readonly token: string;
  /** When the token expires, in milliseconds since 1970. If `expiresAt` is absent, the token is used until it is refused. */
  readonly expiresAt?: number;
  /** For workers: the number of the lease that the token was issued for. */
  readonly epoch?: number;
}

/**
 * Why the client needs a value:
 * - `first`: no link was ever up
 * - `lost`: the last link was lost
 * - `expiring`: the current credential is about to expire, but still works
 * - `refused`: the server refused the last credential, so a stored copy of that credential is useless
 */
export type AttemptReason = 'first' | 'lost' | 'expiring' | 'refused';

/** A value, or a function that returns the value or a promise of the value. A client calls the function for each attempt. */
export type PerAttempt<T> = T | ((reason: AttemptReason) => T | Promise<T>);

/** The address to which a client of a network transport connects, and its credential. */
export interface ClientOptions {
  /** The address to connect to. */
  readonly url: PerAttempt<string | URL>;
  /** Headers of each request. Sockets in browsers cannot send headers. Default: none. */
  readonly headers?: PerAttempt<Readonly<Record<string, string>>>;
  /**
   * The token, or an object with the token and its details. With `undefined`, no token is sent. If this option is a function, it is called once more
   * after a refusal, with the reason `refused`, and the next attempt is made at once. A fixed value cannot be renewed. Default: no token is sent.
   */
  readonly credential?: PerAttempt<string | Credential | undefined>;
}

/** Returns the value, or the value that the function returns. */
export async function askFor<T>(value: PerAttempt<T> | undefined, reason: AttemptReason): Promise<T | undefined> {
  return typeof value === 'function' ? (value as (reason: AttemptReason) => T | Promise<T>)(reason) : value;
}

/** Returns the credential, or the credential that the function returns. */
export async function askForCredential(
  given: ClientOptions['credential'],
  reason: AttemptReason,
): Promise<Credential | undefined> {
  const credential = await askFor(given, reason);
  return typeof credential === 'string' ? { token: credential } : credential;
}

import { jwtVerify, SignJWT } from 'jose';
import type { EventLog } from '../log/event-log.ts';

/** The content of the token of a worker. */
export interface WorkerClaims {
  readonly session: string;
  /** The id of the lease that the token proves. */
  readonly id: string;
}

/** How tokens of workers are signed. */
export interface WorkerTokensOptions {
  readonly log: EventLog;
  /** The secret that signs tokens. Default: a random secret that the log keeps, so that tokens outlive a restart. */
  readonly secret: string | undefined;
  readonly lifetimeMs: number;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

const ALGORITHM = 'HS256';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
/** The stream that belongs to the server itself and to no session. */
const OWN_STREAM = '@ingress';

/** Signs and verifies the tokens of workers, each for one session. */
export class WorkerTokens {
  readonly lifetimeMs: number;
  readonly #log: EventLog;
  readonly #now: () => number;
  readonly #secret: string | undefined;
  /** The secret of the log, after it was read or created. */
  #keptSecret: string | undefined;
  #key: Promise<CryptoKey> | undefined;

  constructor({ log, secret, lifetimeMs, now }: WorkerTokensOptions) {
    this.lifetimeMs = lifetimeMs;
    this.#log = log;
    this.#now = now;
    this.#secret = secret;
  }

  async mint({ session, id }: WorkerClaims): Promise<string> {
    const now = this.#now();
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(session)
      .setJti(id)
      .setIssuedAt(seconds(now))
      .setExpirationTime(seconds(now + this.lifetimeMs))
      .sign(await this.#signingKey());
  }

  /** The content of a valid token; undefined for any other text. With `ignoresExpiry`, an expired token is valid too. */
  async verify(token: string, { ignoresExpiry = false } = {}): Promise<WorkerClaims | undefined> {
    const key = await this.#signingKey();
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        currentDate: new Date(this.#now()),
        clockTolerance: ignoresExpiry ? Number.MAX_SAFE_INTEGER : 0,
      });
      const { sub: session, jti: id } = payload;
      return session === undefined || id === undefined ? undefined : { session, id };
    } catch {
      return undefined;
    }
  }

  /** Writes the secret again if it was used, because the log drops streams that nothing was written to for long. */
  async keepSecret(): Promise<void> {
    if (this.#keptSecret !== undefined) await this.#writeSecret(this.#keptSecret);
  }

  /** Makes the key once. After a failure, such as a log that cannot be read, the next request tries again. */
  #signingKey(): Promise<CryptoKey> {
    this.#key ??= this.#importKey().catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  async #importKey(): Promise<CryptoKey> {
    const bytes = new TextEncoder().encode(this.#secret ?? (await this.#readSecret()));
    return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
  }

  async #readSecret(): Promise<string> {
    const kept = await this.#log.readDocument(OWN_STREAM, 'secret');
    const secret = kept ?? crypto.randomUUID() + crypto.randomUUID();
    if (kept === undefined) await this.#writeSecret(secret);
    this.#keptSecret = secret;
    return secret;
  }

  #writeSecret(secret: string): Promise<void> {
    return this.#log.writeDocument(OWN_STREAM, 'secret', secret);
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

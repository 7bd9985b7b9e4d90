import { base64url, jwtVerify, SignJWT } from 'jose';
import { notOurs } from '../cluster/fenced-log.ts';
import { OldestFirst } from '../oldest-first.ts';
import { andThen } from '../event-loop.ts';
import type { EventLog, WriteCondition } from '../log/event-log.ts';

const MAX_VERIFIED_TOKENS = 10_000;

/** The content of a worker token. */
export interface WorkerClaims {
  readonly session: string;
  /** The id of the lease for which the token was issued. */
  readonly id: string;
}

interface VerifiedToken {
  readonly claims: WorkerClaims;
  /** The start of validity, in seconds since 1970. */
  readonly notBefore: number;
  readonly expiresAt: number;
}

/** How worker tokens are signed. */
export interface WorkerTokensOptions {
  readonly log: EventLog;
  /** The secret that signs tokens. Default: a random secret that is stored in the log, so that tokens stay valid after a restart. */
  readonly secret: string | undefined;
  /** The name of this node, if several nodes share the log. */
  readonly node?: string | undefined;
  readonly lifetimeMs: number;
  /** The maximum number of tokens that are remembered as verified. Default 10 000. */
  readonly maxVerified?: number;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

const ALGORITHM = 'HS256';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const SECRET_CREATION_TIMEOUT_MS = 5000;
const SERVER_STREAM = '@ingress';

/** Signs and verifies worker tokens. Each token is for one session. */
export class WorkerTokens {
  readonly lifetimeMs: number;
  readonly #log: EventLog;
  readonly #now: () => number;
  readonly #maxVerified: number;
  readonly #secret: string | undefined;
  readonly #node: string | undefined;
  #keptSecret: string | undefined;
  #key: Promise<CryptoKey> | undefined;
  /**
   * Tokens whose signature was verified, in the order of their first use: a check of the signature costs more than all other work for a request. The
   * lease is not remembered: each request checks it, so that a replaced worker is refused immediately.
   */
  readonly #verified = new Map<string, VerifiedToken>();
  readonly #oldest = new OldestFirst(this.#verified);

  constructor({ log, secret, node, lifetimeMs, maxVerified = MAX_VERIFIED_TOKENS, now }: WorkerTokensOptions) {
    this.lifetimeMs = lifetimeMs;
    this.#log = log;
    this.#now = now;
    this.#maxVerified = maxVerified;
    this.#secret = secret;
    this.#node = node;
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

  /**
   * Returns the content of a valid token, or undefined for any other text. With `ignoresExpiry`, an expired token counts as valid. For a known token,
   * the result is not a promise.
   */
  verify(token: string, { ignoresExpiry = false } = {}): WorkerClaims | undefined | Promise<WorkerClaims | undefined> {
    const verified = this.#verified.get(token) ?? this.#verifySignature(token);
    return andThen(verified, (found) => this.#claimsOf(token, found, ignoresExpiry));
  }

  #claimsOf(token: string, verified: VerifiedToken | undefined, ignoresExpiry: boolean): WorkerClaims | undefined {
    if (verified === undefined) return undefined;
    const { claims, notBefore, expiresAt } = verified;
    const now = seconds(this.#now());
    if (expiresAt <= now) this.#verified.delete(token);
    return ignoresExpiry || (notBefore <= now && now < expiresAt) ? claims : undefined;
  }

  /** The signature of a text that is not a token. */
  async seal(text: string): Promise<string> {
    const signature = await crypto.subtle.sign(HMAC, await this.#signingKey(), new TextEncoder().encode(text));
    return base64url.encode(new Uint8Array(signature));
  }

  /** Whether `seal` is the signature of `text` by a node with the same secret. */
  async isSeal(seal: string, text: string): Promise<boolean> {
    try {
      const key = await this.#signingKey();
      const signature = new Uint8Array(base64url.decode(seal));
      return await crypto.subtle.verify(HMAC, key, signature, new TextEncoder().encode(text));
    } catch {
      return false;
    }
  }

  async #verifySignature(token: string): Promise<VerifiedToken | undefined> {
    const key = await this.#signingKey();
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        // The caller checks the times each time the token is used.
        currentDate: new Date(this.#now()),
        clockTolerance: Number.MAX_SAFE_INTEGER,
      });
      const { sub: session, jti: id, nbf: notBefore = 0, exp: expiresAt = Infinity } = payload;
      if (session === undefined || id === undefined) return undefined;
      const verified = { claims: { session, id }, notBefore, expiresAt };
      this.#remember(token, verified);
      return verified;
    } catch {
      return undefined;
    }
  }

  #remember(token: string, verified: VerifiedToken): void {
    this.#verified.set(token, verified);
    if (this.#verified.size > this.#maxVerified) this.#verified.delete(this.#oldest.key ?? '');
  }

  /** Writes the secret again if it was used, because the log drops streams that have not been written to for a long time. */
  async keepSecret(): Promise<void> {
    if (this.#keptSecret !== undefined) await this.#writeSecret(this.#keptSecret);
  }

  /** Returns the key that signs tokens. After a failure, for example because the log cannot be read, the next call tries again. */
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
    const secret = (await this.#log.readDocument(SERVER_STREAM, 'secret')) ?? (await this.#createSecret());
    this.#keptSecret = secret;
    return secret;
  }

  /** Creates the secret, unless another node has created it in the meantime: all nodes must use the same secret. */
  async #createSecret(): Promise<string> {
    const secret = crypto.randomUUID() + crypto.randomUUID();
    if (this.#node === undefined) {
      await this.#writeSecret(secret);
      return secret;
    }
    const { epoch } = await this.#log.claim(SERVER_STREAM, this.#node, SECRET_CREATION_TIMEOUT_MS);
    if (epoch === undefined) throw notOurs();
    try {
      const kept = await this.#log.readDocument(SERVER_STREAM, 'secret');
      if (kept === undefined) await this.#writeSecret(secret, { epoch });
      return kept ?? secret;
    } finally {
      await this.#log.release(SERVER_STREAM, epoch);
    }
  }

  #writeSecret(secret: string, condition?: WriteCondition): Promise<void> {
    return this.#log.writeDocument(SERVER_STREAM, 'secret', secret, condition);
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

import { jwtVerify, SignJWT } from 'jose';

/** Four hours. */
export const DEFAULT_WORKER_TOKEN_MS = 4 * 60 * 60 * 1000;

/** What the token of a worker says. */
export interface WorkerClaims {
  readonly session: string;
  /** Of this one token; the seat of a session is held by it. */
  readonly id: string;
}

/** Mints and checks the tokens of workers, each for one session. */
export interface WorkerTokens {
  readonly lifetimeMs: number;
  mint(claims: WorkerClaims): Promise<string>;
  /** Undefined for anything but a token of ours that has not expired. */
  verify(token: string): Promise<WorkerClaims | undefined>;
}

const ALGORITHM = 'HS256';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Tokens signed with a secret that whoever checks them has to have, too. */
export async function createWorkerTokens(secret: string, now: () => number, lifetimeMs: number): Promise<WorkerTokens> {
  const bytes = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return {
    lifetimeMs,
    mint: ({ session, id }) =>
      new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(session)
        .setJti(id)
        .setIssuedAt(seconds(now()))
        .setExpirationTime(seconds(now() + lifetimeMs))
        .sign(key),
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate: new Date(now()) });
        const { sub: session, jti: id } = payload;
        return session === undefined || id === undefined ? undefined : { session, id };
      } catch {
        return undefined;
      }
    },
  };
}

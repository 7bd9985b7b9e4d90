import { jwtVerify, SignJWT } from 'jose';
import type { EventLog } from '../log/event-log.ts';

/** Four hours. */
export const DEFAULT_WORKER_TOKEN_MS = 4 * 60 * 60 * 1000;

/** What the token of a worker says. */
export interface WorkerClaims {
  readonly session: string;
  /** Of this one token; the lease of a session is held by it. */
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

/** Where the ingress keeps what is its own, and no session's. */
const OWN_STREAM = '@ingress';

/** A secret that outlives a restart. */
export interface KeptSecret {
  /** Made at random where the log has none. */
  read(): Promise<string>;
  /** Writes it again, if anybody has read it: what nobody writes to is dropped. */
  renew(): Promise<void>;
}

/** The secret of an ingress, in its log. */
export function createKeptSecret(log: EventLog): KeptSecret {
  let secret: string | undefined;
  const keep = (text: string) => log.writeDocument(OWN_STREAM, 'secret', text);
  const read = onceDone(async () => {
    const kept = await log.readDocument(OWN_STREAM, 'secret');
    const known = kept ?? crypto.randomUUID() + crypto.randomUUID();
    if (kept === undefined) await keep(known);
    return (secret = known);
  });
  return {
    read,
    async renew() {
      if (secret !== undefined) await keep(secret);
    },
  };
}

/** Does it when it is first asked for, and again only where that failed. */
export function onceDone<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

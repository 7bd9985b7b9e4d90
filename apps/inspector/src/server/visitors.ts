import { createHash, randomBytes } from 'node:crypto';
import type { InspectedSessions } from './inspected-sessions.ts';

const TICKET_LIFETIME_MS = 60_000;
/** How long a visit is valid without a new ticket, in milliseconds: 12 hours. */
export const VISIT_LIFETIME_MS = 12 * 3_600_000;
const MAX_PER_ACCOUNT = 100;

/**
 * Keeps track of who may read sessions. A ticket can be used once within 60 s, and is exchanged for a secret that the browser keeps as a cookie.
 * Tickets and secrets are kept as hashes, so the duration of a search reveals nothing about a secret.
 */
export class Visitors {
  readonly #tickets: Grants;
  readonly #visits: Grants;

  constructor(now: () => number = () => performance.now()) {
    this.#tickets = new Grants(TICKET_LIFETIME_MS, now);
    this.#visits = new Grants(VISIT_LIFETIME_MS, now);
  }

  /** Creates a ticket. If an account has 100 open tickets, the new ticket voids its oldest ticket. */
  issueTicket(sessions: InspectedSessions): string {
    return this.#tickets.add(sessions);
  }

  /** Returns the sessions to which a ticket gives access, and voids the ticket; undefined for a ticket that is unknown, used or expired. */
  redeem(ticket: string): InspectedSessions | undefined {
    return this.#tickets.take(ticket);
  }

  /** Begins a visit. Returns the secret of the cookie. If an account has 100 visits, the new visit ends its oldest visit. */
  enter(sessions: InspectedSessions): string {
    return this.#visits.add(sessions);
  }

  /** Returns the sessions to which the secret in a cookie gives access; undefined for a secret that is unknown or expired. */
  visitOf(secret: string): InspectedSessions | undefined {
    return this.#visits.find(secret);
  }
}

interface Grant {
  readonly account: unknown;
  readonly sessions: InspectedSessions;
  readonly expiresAt: number;
}

/** The sessions to which secrets give access. All secrets are valid for the same time. */
class Grants {
  readonly #lifetimeMs: number;
  readonly #now: () => number;
  /** The grants by the hash of their secret, oldest first. */
  readonly #byHash = new Map<string, Grant>();
  /** The hashes of the grants of each account, the oldest first. */
  readonly #ofAccount = new Map<unknown, Set<string>>();

  constructor(lifetimeMs: number, now: () => number) {
    this.#lifetimeMs = lifetimeMs;
    this.#now = now;
  }

  /** Adds a grant. Returns the new secret of the grant. */
  add(sessions: InspectedSessions): string {
    this.#forgetExpired();
    const secret = randomBytes(32).toString('base64url');
    const account = sessions.account ?? sessions;
    const hash = hashOf(secret);
    const hashes = this.#ofAccount.get(account) ?? new Set();
    this.#ofAccount.set(account, hashes.add(hash));
    this.#byHash.set(hash, { account, sessions, expiresAt: this.#now() + this.#lifetimeMs });
    const [oldest] = hashes;
    if (hashes.size > MAX_PER_ACCOUNT && oldest !== undefined) this.#forget(oldest);
    return secret;
  }

  find(secret: string): InspectedSessions | undefined {
    const grant = this.#byHash.get(hashOf(secret));
    return grant !== undefined && grant.expiresAt > this.#now() ? grant.sessions : undefined;
  }

  /** Like `find`, but also voids the secret. */
  take(secret: string): InspectedSessions | undefined {
    const found = this.find(secret);
    this.#forget(hashOf(secret));
    return found;
  }

  #forgetExpired(): void {
    for (const [hash, { expiresAt }] of this.#byHash) {
      if (expiresAt > this.#now()) return;
      this.#forget(hash);
    }
  }

  #forget(hash: string): void {
    const account = this.#byHash.get(hash)?.account;
    this.#byHash.delete(hash);
    const hashes = this.#ofAccount.get(account);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.#ofAccount.delete(account);
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

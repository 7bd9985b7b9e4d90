import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { InspectedSessions } from './inspected-sessions.ts';

/** How long a ticket can be exchanged, in milliseconds: 60 s. */
const TICKET_LIFETIME_MS = 60_000;
/** How long a visitor stays without a new ticket, in milliseconds: 12 hours. */
export const VISIT_LIFETIME_MS = 12 * 3_600_000;
const MAX_TICKETS = 100;
const MAX_VISITORS = 1000;

interface Grant {
  readonly hash: Buffer;
  readonly sessions: InspectedSessions;
  readonly expiresAt: number;
}

/**
 * Who may look. A ticket is good once and for 60 s, and is exchanged for a secret that the browser keeps as a cookie. Both are kept as hashes, and
 * compared in constant time.
 */
export class Visitors {
  readonly #now: () => number;
  #tickets: readonly Grant[] = [];
  #visits: readonly Grant[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Makes a ticket. The 101st open ticket voids the oldest. */
  issueTicket(sessions: InspectedSessions): string {
    const { secret, grant } = this.#grant(sessions, TICKET_LIFETIME_MS);
    this.#tickets = [...this.#current(this.#tickets), grant].slice(-MAX_TICKETS);
    return secret;
  }

  /** What a ticket admits to, and voids the ticket; undefined for a ticket that is unknown, used or expired. */
  redeem(ticket: string): InspectedSessions | undefined {
    const found = this.#find(this.#tickets, ticket);
    this.#tickets = this.#tickets.filter((grant) => grant !== found);
    return found?.sessions;
  }

  /** Begins a visit. Returns the secret of the cookie. The visit number 1001 ends the oldest. */
  enter(sessions: InspectedSessions): string {
    const { secret, grant } = this.#grant(sessions, VISIT_LIFETIME_MS);
    this.#visits = [...this.#current(this.#visits), grant].slice(-MAX_VISITORS);
    return secret;
  }

  /** What the secret of a cookie admits to; undefined for a secret that is unknown or expired. */
  visitOf(secret: string): InspectedSessions | undefined {
    return this.#find(this.#visits, secret)?.sessions;
  }

  #grant(sessions: InspectedSessions, lifetimeMs: number): { readonly secret: string; readonly grant: Grant } {
    const secret = randomBytes(32).toString('base64url');
    return { secret, grant: { hash: hashOf(secret), sessions, expiresAt: this.#now() + lifetimeMs } };
  }

  #find(grants: readonly Grant[], secret: string): Grant | undefined {
    const hash = hashOf(secret);
    // Looks at each grant, whatever is found, so that the time tells nothing.
    const found = grants.filter((grant) => timingSafeEqual(grant.hash, hash))[0];
    return found !== undefined && found.expiresAt > this.#now() ? found : undefined;
  }

  #current(grants: readonly Grant[]): readonly Grant[] {
    return grants.filter(({ expiresAt }) => expiresAt > this.#now());
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

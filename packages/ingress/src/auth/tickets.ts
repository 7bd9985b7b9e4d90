import type { Account } from './accounts.ts';

/** One minute. */
export const DEFAULT_TICKET_MS = 60_000;
const MAX_TICKETS = 10_000;

/** Stand-ins for a token where only a URL can be given, as to an `EventSource`: each opens one event stream of one session, once. */
export interface Tickets {
  readonly lifetimeMs: number;
  issue(account: Account, session: string): string;
  /** Uses a ticket up; undefined where it is unknown, used, expired or for another session. */
  redeem(ticket: string, session: string): Account | undefined;
}

/** Tickets live in memory: after a restart a browser asks for a new one. */
export function createTickets(now: () => number, lifetimeMs: number): Tickets {
  const issued = new Map<string, { readonly account: Account; readonly session: string; readonly expiresAt: number }>();
  return {
    lifetimeMs,
    issue(account, session) {
      for (const [ticket, { expiresAt }] of issued) {
        if (expiresAt > now() && issued.size < MAX_TICKETS) break;
        issued.delete(ticket);
      }
      const ticket = crypto.randomUUID() + crypto.randomUUID();
      issued.set(ticket, { account, session, expiresAt: now() + lifetimeMs });
      return ticket;
    },
    redeem(ticket, session) {
      const found = issued.get(ticket);
      issued.delete(ticket);
      return found !== undefined && found.expiresAt > now() && found.session === session ? found.account : undefined;
    },
  };
}

import type { Account } from './accounts.ts';

/** Tickets that one account may have open at a time. With another one its oldest ticket is void. */
export const MAX_TICKETS_PER_ACCOUNT = 100;

/** Stand-ins for a token where only a URL can be given, as to an `EventSource`: each opens one event stream of one session, once. */
export interface Tickets {
  readonly lifetimeMs: number;
  issue(account: Account, session: string): string;
  /** Whose ticket it is, without using it up; undefined where `redeem` would give nobody. */
  holderOf(ticket: string, session: string): Account | undefined;
  /** Uses a ticket up; undefined where it is unknown, used, expired or for another session. */
  redeem(ticket: string, session: string): Account | undefined;
  /** Forgets the tickets that have expired. */
  expire(): void;
}

interface Issued {
  readonly account: Account;
  readonly session: string;
  readonly expiresAt: number;
}

/**
 * Tickets live in memory: after a restart a browser asks for a new one. Each account, by its name, has a share of its own, so that nobody
 * can void the ticket of another. The oldest of the account gives way, and the newest is not refused, because a page that is loaded again
 * never comes back for the ticket it had before.
 */
export function createTickets(now: () => number, lifetimeMs: number): Tickets {
  const issued = new Map<string, Issued>();
  const byAccount = new Map<string, Set<string>>();
  const forget = (ticket: string, { account }: Issued) => {
    issued.delete(ticket);
    const own = byAccount.get(account.name);
    own?.delete(ticket);
    if (own?.size === 0) byAccount.delete(account.name);
  };
  const holderOf = (ticket: string, session: string) => {
    const found = issued.get(ticket);
    return found !== undefined && found.expiresAt > now() && found.session === session ? found.account : undefined;
  };
  return {
    lifetimeMs,
    issue(account, session) {
      const own = byAccount.get(account.name) ?? new Set();
      const [oldest] = own.size < MAX_TICKETS_PER_ACCOUNT ? [] : own;
      if (oldest !== undefined) {
        own.delete(oldest);
        issued.delete(oldest);
      }
      const ticket = crypto.randomUUID() + crypto.randomUUID();
      issued.set(ticket, { account, session, expiresAt: now() + lifetimeMs });
      byAccount.set(account.name, own.add(ticket));
      return ticket;
    },
    holderOf,
    redeem(ticket, session) {
      const holder = holderOf(ticket, session);
      const found = issued.get(ticket);
      if (found !== undefined) forget(ticket, found);
      return holder;
    },
    expire() {
      for (const [ticket, found] of issued) if (found.expiresAt <= now()) forget(ticket, found);
    },
  };
}

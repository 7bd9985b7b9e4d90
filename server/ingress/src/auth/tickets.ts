import { OldestFirst } from '../oldest-first.ts';
import type { Account } from './accounts.ts';

/** The maximum number of open tickets per account. A further ticket voids the oldest open ticket of the account. */
export const MAX_TICKETS_PER_ACCOUNT = 100;

/**
 * A ticket replaces the token for a client that can set only a URL, such as an `EventSource`. Each ticket opens one event stream of one session,
 * once.
 */
export interface Tickets {
  readonly lifetimeMs: number;
  issue(account: Account, session: string): Promise<string>;
  /** The account of a ticket, without voiding the ticket; undefined if `redeem` would return undefined. */
  holderOf(ticket: string, session: string): Account | undefined;
  /** Returns the account of a ticket, and voids the ticket; undefined for a ticket that is unknown, used, expired or for another session. */
  redeem(ticket: string, session: string): Account | undefined;
  /**
   * Whether any node with the same secret has issued this ticket, and it has not expired. Does not check whether the ticket was used, because only
   * the node that owns the session knows this. Always false if there is only one node.
   */
  isGenuine(ticket: string, session: string): Promise<boolean>;
  /** Removes the tickets that have expired. */
  expire(): void;
}

/** Signs tickets so that other nodes can verify them. */
export interface TicketSeal {
  seal(text: string): Promise<string>;
  isSeal(seal: string, text: string): Promise<boolean>;
}

interface Issued {
  readonly account: Account;
  readonly session: string;
  readonly expiresAt: number;
}

/**
 * Creates tickets in memory: after a restart, a browser must request a new ticket. The limit applies to each account, by its name, so that no account
 * can void another account's tickets. When an account has reached the limit, its new ticket voids its oldest ticket, because a page that is reloaded
 * never uses its earlier ticket.
 */
export function createTickets(now: () => number, lifetimeMs: number, sealing?: TicketSeal): Tickets {
  const issued = new Map<string, Issued>();
  const oldest = new OldestFirst(issued);
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
    async issue(account, session) {
      const expiresAt = now() + lifetimeMs;
      const name = crypto.randomUUID() + crypto.randomUUID();
      const ticket = sealing === undefined ? name : await sealed(sealing, { name, expiresAt, session });
      const own = byAccount.get(account.name) ?? new Set();
      const [first] = own.size < MAX_TICKETS_PER_ACCOUNT ? [] : own;
      if (first !== undefined) {
        own.delete(first);
        issued.delete(first);
      }
      issued.set(ticket, { account, session, expiresAt });
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
    async isGenuine(ticket, session) {
      const [, name, digits, seal] = SEALED.exec(ticket) ?? [];
      if (sealing === undefined || name === undefined || seal === undefined) return false;
      const expiresAt = Number(digits);
      return expiresAt > now() && sealing.isSeal(seal, sealedText({ name, expiresAt, session }));
    },
    expire() {
      // All tickets have the same lifetime, so the oldest expires first.
      for (let ticket = oldest.key; ticket !== undefined; ticket = oldest.key) {
        const found = issued.get(ticket) as Issued;
        if (found.expiresAt > now()) return;
        forget(ticket, found);
      }
    },
  };
}

interface SealedFacts {
  readonly name: string;
  readonly expiresAt: number;
  readonly session: string;
}

const SEALED = /^([\da-f-]{72})\.(\d{1,15})\.([\w-]{1,100})$/;

async function sealed(sealing: TicketSeal, what: SealedFacts): Promise<string> {
  return `${what.name}.${what.expiresAt}.${await sealing.seal(sealedText(what))}`;
}

/** The sealed text contains a blank and a worker token never does, so a seal can never be the signature of a token. */
function sealedText({ name, expiresAt, session }: SealedFacts): string {
  return `ticket ${name} ${expiresAt} ${session}`;
}

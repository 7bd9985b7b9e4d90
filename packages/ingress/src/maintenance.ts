import type { AccountChecks, Ending } from './auth/account-checks.ts';
import type { Account } from './auth/accounts.ts';
import type { Tickets } from './auth/tickets.ts';
import type { KeptSecret } from './auth/worker-tokens.ts';
import type { EventLog } from './log/event-log.ts';
import type { Sessions } from './session/sessions.ts';

const MAINTENANCE_MS = 60_000;

/** What is looked after. */
export interface MaintenanceOptions {
  readonly log: EventLog;
  readonly sessions: Sessions;
  readonly secret: KeptSecret;
  readonly accounts: AccountChecks;
  readonly tickets: Tickets;
  /** How long nothing may be said to a reader. */
  readonly keepaliveMs: number;
  readonly onError: (error: unknown) => void;
}

/** Keeps readers alive, ends those of accounts that were taken away, lets go of what nobody uses, and drops what is too old, until the function it gives is called. */
export function startMaintenance(options: MaintenanceOptions): () => void {
  const { log, sessions, secret, accounts, tickets, keepaliveMs, onError } = options;
  const endRevoked = async () => {
    // Each account is asked about once, however many streams it has.
    const asked = new Map<Account, Promise<Ending | undefined>>();
    const whyEnded = (account: Account) => {
      const answer = asked.get(account) ?? accounts.whyEnded(account);
      asked.set(account, answer);
      return answer;
    };
    await Promise.all(Array.from(sessions.alive, (session) => session.subscribers.endRevoked(whyEnded)));
  };
  const tidy = async () => {
    sessions.release();
    tickets.expire();
    await endRevoked();
    // Ahead of what drops it.
    await Promise.all([secret.renew(), ...Array.from(sessions.alive, (session) => session.keep())]);
    await log.expire();
  };
  const timers = [
    setInterval(() => {
      for (const session of sessions.alive) session.subscribers.keepAlive();
    }, keepaliveMs),
    setInterval(() => void tidy().catch(onError), MAINTENANCE_MS),
  ];
  // Only Node has it, and only there a timer keeps the process alive.
  for (const timer of timers) timer.unref?.();
  const unwatch = accounts.watch(() => void endRevoked().catch(onError));
  return () => {
    unwatch();
    for (const timer of timers) clearInterval(timer);
  };
}

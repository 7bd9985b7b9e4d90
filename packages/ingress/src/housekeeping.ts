import type { Account } from './auth/accounts.ts';
import type { KeptSecret } from './auth/kept-secret.ts';
import type { EventLog } from './log/event-log.ts';
import type { Sessions } from './session/sessions.ts';

const HOUSEKEEPING_MS = 60_000;

/** What is looked after. */
export interface HousekeepingOptions {
  readonly log: EventLog;
  readonly sessions: Sessions;
  readonly secret: KeptSecret;
  readonly isCurrent: (account: Account) => Promise<boolean>;
  /** How long nothing may be said to a reader. */
  readonly keepaliveMs: number;
  readonly onError: (error: unknown) => void;
}

/** Keeps readers alive, ends those of accounts that were taken away, lets go of what nobody uses, and drops what is too old, until the function it gives is called. */
export function keepHouse({ log, sessions, secret, isCurrent, keepaliveMs, onError }: HousekeepingOptions): () => void {
  const tidy = async () => {
    sessions.release();
    for (const session of sessions.alive) await session.readers.endRevoked(isCurrent);
    // Ahead of what drops it.
    await Promise.all([secret.renew(), ...Array.from(sessions.alive, (session) => session.keep())]);
    await log.expire();
  };
  const timers = [
    setInterval(() => {
      for (const session of sessions.alive) session.readers.keepAlive();
    }, keepaliveMs),
    setInterval(() => void tidy().catch(onError), HOUSEKEEPING_MS),
  ];
  // Only Node has it, and only there a timer keeps the process alive.
  for (const timer of timers) timer.unref?.();
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

import type { Ending } from './auth/account-checks.ts';
import type { Account } from './auth/accounts.ts';
import { StepCount, yieldToEventLoop } from './event-loop.ts';
import { every } from './every.ts';
import type { IngressContext } from './http/ingress-context.ts';
import { isFenced } from './http/refusal.ts';
import type { Session } from './session/session.ts';

const MAINTENANCE_MS = 60_000;

/**
 * Starts the regular work of a server: sends keep-alives, ends the streams of revoked accounts, removes unused sessions from memory, and drops what
 * is too old. Returns the function that stops the work.
 */
export function startMaintenance(context: IngressContext): () => void {
  const { log, sessions, workerTokens, accounts, tickets, forwarding, keepaliveMs, clock, onError } = context;
  const endRevoked = async () => {
    // Each account is checked once, however many streams it has.
    const asked = new Map<Account, Promise<Ending | undefined>>();
    const whyEnded = (account: Account) => {
      const answer = asked.get(account) ?? accounts.whyEnded(account);
      asked.set(account, answer);
      return answer;
    };
    await Promise.all([
      forEach(sessions.alive, ({ subscribers }) =>
        subscribers.viewers === 0 ? undefined : subscribers.endRevoked(whyEnded),
      ),
      forwarding?.endRevoked(whyEnded),
    ]);
  };
  const tidy = async () => {
    await sessions.release();
    tickets.expire();
    await endRevoked();
    // This runs before `expire`, which drops streams that have not been written to for a long time.
    await Promise.all([workerTokens.keepSecret(), forEach(sessions.alive, keep)]);
    await log.expire();
  };
  const keepAlive = () => forEach(sessions.alive, ({ subscribers }) => subscribers.keepAlive());
  const stops = [
    every(keepaliveMs, () => void keepAlive().catch(onError), clock),
    every(MAINTENANCE_MS, () => void tidy().catch(onError), clock),
  ];
  const unwatch = accounts.watch(() => void endRevoked().catch(onError));
  return () => {
    unwatch();
    for (const stop of stops) stop();
  };
}

/**
 * Starts some work for each session, and lets other work run in between. Settles after the work for all sessions has settled, even if it failed for
 * some of them.
 * @throws the first error
 */
async function forEach(
  sessions: Iterable<Session>,
  work: (session: Session) => Promise<void> | undefined | void,
): Promise<void> {
  const steps = new StepCount();
  const underWay: Promise<void>[] = [];
  const errors: unknown[] = [];
  for (const session of sessions) {
    const begun = work(session);
    if (begun !== undefined) underWay.push(begun.catch((error: unknown) => void errors.push(error)));
    if (steps.isStepDone) await yieldToEventLoop();
  }
  await Promise.all(underWay);
  if (errors.length > 0) throw errors[0];
}

/** Keeps the stored session from expiring. If another node owns the session, that node does this. */
async function keep(session: Session): Promise<void> {
  await session.keep().catch((error: unknown) => {
    if (!isFenced(error)) throw error;
  });
}

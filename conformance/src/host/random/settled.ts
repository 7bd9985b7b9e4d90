import { type Inbox, limitOf, type Step } from '@proto/testkit/steps';

import type { HostScope } from '../host-scope.ts';
import { owedByHost, OwedFailure, unexpectedEnd } from './owed.ts';

// The suite waits for a host as long as messages arrive, but at most this many times the time limit of a step.
const MAX_LIMITS = 6;

/**
 * Waits until a host has done everything that its agent and its user wait for.
 *
 * @throws {@link OwedFailure} that names what is missing and the broken requirement.
 */
export async function untilSettled(step: Step, scope: HostScope): Promise<void> {
  const { session, host } = scope;
  // An agent that the host has killed does not read any more.
  if (!session.reads && unexpectedEnd(scope) === undefined)
    throw new Error('The agent is not reading, so the host cannot finish what the agent and the user are waiting for.');
  const limit = limitOf(step, scope);
  const end = performance.now() + MAX_LIMITS * limit;
  while (!session.isEnding || session.inbox.ended === 'the host killed the agent') {
    const over = unexpectedEnd(scope);
    if (over !== undefined) throw new OwedFailure(over, 'session/stays');
    const [owed] = owedByHost(scope);
    if (owed === undefined) return;
    const patience = Math.min(limit, end - performance.now());
    const hasNews = await news([session.inbox, host.inbox], patience, scope.signal);
    if (!hasNews && unexpectedEnd(scope) === undefined)
      throw new OwedFailure({ ...owed, message: `${owed.message} within ${limit} ms.` });
  }
}

/** Returns whether a message has arrived in time. */
async function news(inboxes: readonly Inbox[], milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const arrivals = inboxes.map((inbox) => inbox.find(() => true, inbox.received.length, milliseconds, either));
  const arrived = await Promise.any(arrivals).catch(() => undefined);
  done.abort();
  signal.throwIfAborted();
  return arrived !== undefined;
}

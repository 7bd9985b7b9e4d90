import { isObject, shortJson } from '../json.ts';
import { describeMismatch } from '../match/mismatch.ts';
import { match } from '../match/match.ts';
import { type Inbox, NotReceived, type Received } from './inbox.ts';
import type { Party, Scope } from './scope.ts';
import { bindAs, limitOf, nameIn, partyOf, type Step } from './step.ts';
import { StepFailure } from './step-failure.ts';

/** Waits for a message that matches, and reads up to and including this message. */
export async function expectOne(step: Step, scope: Scope): Promise<void> {
  const party = partyOf(step, scope);
  const at = await findMatch(step['expect'], step, party, scope);
  bindAs(step, party.inbox.received[at]?.value, scope);
  if (step['anywhere'] !== true) party.inbox.cursor = at + 1;
}

/**
 * Waits for a message that matches. Fulfils with its index in the inbox.
 *
 * @throws {@link StepFailure} that shows the most similar message, if no message matches.
 */
export async function findMatch(pattern: unknown, step: Step, party: Party, scope: Scope): Promise<number> {
  const { inbox } = party;
  const from = step['anywhere'] === true ? 0 : inbox.cursor;
  const seen: { message: Received; difference: string }[] = [];
  const passes = (message: Received): boolean => {
    const result = match(pattern, message.value, scope.variables);
    if (result.ok) for (const [name, value] of result.bound) scope.variables.bind(name, value);
    else seen.push({ message, difference: describeMismatch(result.mismatch) });
    if (!result.ok && step['next'] === true) {
      throw new StepFailure(`The next message is not the expected one: ${describeMismatch(result.mismatch)}`, {
        expected: pattern,
        got: message.value,
      });
    }
    return result.ok;
  };
  try {
    return await inbox.find(passes, from, limitOf(step, scope), scope.signal);
  } catch (error) {
    if (!(error instanceof NotReceived)) throw error;
    const nearest = nearestOf(pattern, seen);
    throw new StepFailure(
      `No message matched ${shortJson(pattern)}: ${error.message}. ${nearest === undefined ? 'No other message arrived.' : `The most similar message differs: ${nearest.difference}.`}`,
      { expected: pattern, got: nearest?.message.value ?? seen.map(({ message }) => message.value).slice(-3) },
    );
  }
}

/** Returns the last message of the same type as the pattern, or else the last message. */
function nearestOf<M extends { message: Received }>(pattern: unknown, seen: readonly M[]): M | undefined {
  const type = isObject(pattern) ? pattern['type'] : undefined;
  return seen.findLast(({ message }) => isObject(message.value) && message.value['type'] === type) ?? seen.at(-1);
}

/** The messages may arrive in any order. */
export async function expectAll(step: Step, scope: Scope): Promise<void> {
  const party = partyOf(step, scope);
  const from = party.inbox.cursor;
  const taken = new Set<number>();
  for (const pattern of step['expect-all'] as readonly unknown[]) {
    const passes = (message: Received) => {
      const result = match(pattern, message.value, scope.variables);
      const fits = result.ok && !taken.has(party.inbox.received.indexOf(message));
      if (fits && result.ok) for (const [name, value] of result.bound) scope.variables.bind(name, value);
      return fits;
    };
    const found = await party.inbox.find(passes, from, limitOf(step, scope), scope.signal).catch((error: unknown) => {
      if (!(error instanceof NotReceived)) throw error;
      const got = party.inbox.received.slice(from).map(({ value }) => value);
      throw new StepFailure(`No message matched ${shortJson(pattern)}: ${error.message}.`, {
        expected: pattern,
        got,
      });
    });
    taken.add(found);
  }
  party.inbox.cursor = Math.max(from, ...[...taken].map((at) => at + 1));
}

/** Fails if a matching message arrives before the message in `until`, or within a period that begins now or at the message that `since` names. */
export async function expectNone(step: Step, scope: Scope): Promise<void> {
  const party = partyOf(step, scope);
  const { inbox } = party;
  const refused = (message: Received): boolean => match(step['expect-none'], message.value, scope.variables).ok;
  const fail = (message: Received | undefined): never => {
    throw new StepFailure(`A message arrived that should not have arrived: ${shortJson(message?.value)}`, {
      expected: { none: step['expect-none'] },
      got: message?.value,
    });
  };
  if (step['until'] === undefined) {
    const end = startOf(step, inbox, scope) + limitOf(step, scope);
    // Messages that were sent after this time are ignored, even if they have arrived.
    const early = (message: Received) =>
      (step['since'] === undefined || inbox.timeOf(message) < end) && refused(message);
    const found = await inbox
      .find(early, inbox.cursor, Math.max(0, end - performance.now()), scope.signal)
      .catch((error: unknown) => {
        if (error instanceof NotReceived) return undefined;
        throw error;
      });
    if (found !== undefined) fail(inbox.received[found]);
    return;
  }
  const from = inbox.cursor;
  const until = await findMatch(step['until'], step, party, scope);
  bindAs(step, inbox.received[until]?.value, scope);
  const early = inbox.received.slice(from, until).find(refused);
  if (early !== undefined) fail(early);
  inbox.cursor = until + 1;
}

function startOf(step: Step, inbox: Inbox, { variables }: Scope): number {
  const name = nameIn(step, 'since');
  if (name === undefined) return performance.now();
  const message = variables.get(name);
  const bound = inbox.received.find(({ value }) => value === message);
  if (bound === undefined) throw new Error(`The case uses the message "${name}", but the party has not received it.`);
  return inbox.timeOf(bound);
}

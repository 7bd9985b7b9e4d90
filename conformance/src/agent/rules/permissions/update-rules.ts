import { onceFor } from '../../../once-for.ts';
import { listOf, member, type Session } from '../../session-log.ts';
import { type Call, callsOf, decisionsOf, hasRun, wasAskedBefore } from '../calls.ts';
import { modeChangesOf } from '../exchanges.ts';
import { initsOf } from '../moments.ts';
import { hasFrom, lastBefore } from '../../../positions.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';
import { asksHost } from './decision-rules.ts';
import { hasLateRules, rulesFor } from './rule-set.ts';

/** The rules about what `updatedPermissions` in the answers of a host has changed, or must not have changed. */
export const updateRules: readonly Rule[] = [
  { name: 'permission/rules-hold', spec: 'PRM-24', check: brokenUpdates },
  {
    name: 'permission/asked-again',
    spec: 'PRM-2',
    check: (session) =>
      unaskedAgain(session, (call) => !hasLateRules(session, call) && !hasRulesOfLaterAnswers(session, call)),
  },
  {
    name: 'permission/late-rules',
    spec: 'CTL-26',
    check: (session) => unaskedAgain(session, (call) => hasLateRules(session, call)),
  },
  {
    name: 'permission/rules-of-a-later-answer',
    spec: 'CTL-10',
    check: (session) => unaskedAgain(session, (call) => hasRulesOfLaterAnswers(session, call)),
  },
];

/** Finds calls that ran, or about which the host was asked, against a rule that earlier answers have set. */
function brokenUpdates(session: Session): Broken | undefined {
  return firstOf(callsOf(session), (call) => {
    const { behaviors, isUncertain } = rulesFor(session, call);
    if (behaviors.size === 0 || isUncertain || decisionsOf(call).includes('ask') || behaviors.has('ask'))
      return undefined;
    const isForbidden = behaviors.has('deny');
    const isAsked = call.question !== undefined;
    if ((!isAsked && !(isForbidden && hasRun(call))) || !isInDefaultMode(session, call)) return undefined;
    return {
      message: `A call to ${call.name} was not decided by the rule that an earlier answer set.`,
      got: call.result,
    };
  });
}

/** Finds calls that ran without a question although the same call needed one before. `applies` chooses the calls that are checked. */
function unaskedAgain(session: Session, applies: (call: Call) => boolean): Broken | undefined {
  const byHooks = session.sent.some(({ message }) =>
    JSON.stringify(member(payloadOf(message), 'hookSpecificOutput') ?? {}).includes('updatedPermissions'),
  );
  if (byHooks) return undefined;
  return firstOf(callsOf(session), (call) => {
    if (call.question !== undefined || !hasRun(call) || call.hooks.length + call.races.length > 0) return undefined;
    const { behaviors, isUncertain } = rulesFor(session, call);
    if (isUncertain || behaviors.size > 0 || !applies(call) || !isInDefaultMode(session, call)) return undefined;
    return wasAskedBefore(session, call) && asksHost(session)
      ? {
          message: `A call to ${call.name} ran without a permission request, although the same call needed one before.`,
          got: call.result,
        }
      : undefined;
  });
}

/** Whether a call was certainly decided in the mode `default`: the session was in this mode, and nothing changed the mode during the turn. */
function isInDefaultMode(session: Session, { mode, at, resultAt = Infinity }: Call): boolean {
  if (mode !== 'default') return false;
  const begin = lastBefore(initsOf(session), at)?.at ?? 0;
  const isRequested = modeChangesOf(session).across(resultAt, begin).length > 0;
  return !isRequested && !hasFrom(modeAnswersOf(session), begin, resultAt);
}

/** The answers of the host that may change the mode. */
const modeAnswersOf = onceFor(({ sent }: Session) =>
  sent.filter(({ message }) => JSON.stringify(payloadOf(message) ?? {}).includes('setMode')),
);

/** Whether an answer with rules for the tool of a call has arrived after another answer to the same question. */
function hasRulesOfLaterAnswers(session: Session, call: Call): boolean {
  return (laterRulesOf(session).get(call.name) ?? Infinity) <= call.at;
}

/** For each tool, the position of the first such answer. */
const laterRulesOf = onceFor((session: Session) => {
  const first = new Map<unknown, number>();
  // For each id, the tools that questions with this id were about, with the number of answers.
  const questions = new Map<unknown, Map<unknown, number>>();
  for (const { message, isOurs, at } of timelineOf(session)) {
    if (!isOurs && subtypeOf(message) === 'can_use_tool') {
      const tools = questions.get(message['request_id']) ?? new Map<unknown, number>();
      questions.set(message['request_id'], tools.set(member(message, 'request', 'tool_name'), 0));
    }
    const tools = isOurs ? questions.get(answeredId(message)) : undefined;
    if (tools === undefined) continue;
    const hasRules = listOf(member(payloadOf(message), 'updatedPermissions')).length > 0;
    for (const [tool, answers] of tools) {
      tools.set(tool, answers + 1);
      if (answers > 0 && hasRules && !first.has(tool)) first.set(tool, at);
    }
  }
  return first;
});

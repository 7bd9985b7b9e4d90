import { listOf, member, type Session } from '../../session-log.ts';
import { type Call, callsOf, decisionsOf, hasRun } from '../calls.ts';
import { exchangesOf } from '../exchanges.ts';
import { sorted } from '../messages/stream-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';
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
  const calls = callsOf(session);
  const byHooks = session.sent.some(({ message }) =>
    JSON.stringify(member(payloadOf(message), 'hookSpecificOutput') ?? {}).includes('updatedPermissions'),
  );
  if (byHooks) return undefined;
  return firstOf(calls, (call) => {
    if (call.question !== undefined || !hasRun(call) || call.hooks.length + call.races.length > 0) return undefined;
    const { behaviors, isUncertain } = rulesFor(session, call);
    if (isUncertain || behaviors.size > 0 || !applies(call) || !isInDefaultMode(session, call)) return undefined;
    const isSame = (other: Call) => other.name === call.name && sorted(other.input) === sorted(call.input);
    const wasAsked = calls.some((other) => other.at < call.at && isSame(other) && other.question !== undefined);
    return wasAsked && asksHost(session)
      ? {
          message: `A call to ${call.name} ran without a permission request, although the same call needed one before.`,
          got: call.result,
        }
      : undefined;
  });
}

/** Whether a call was certainly decided in the mode `default`: the session was in this mode, and nothing changed the mode during the turn. */
function isInDefaultMode(session: Session, { mode, at, resultAt = Infinity }: Call): boolean {
  const begin = session.received.findLast((placed) => placed.at < at && isInit(placed.message))?.at ?? 0;
  const mayChange =
    exchangesOf(session).some(
      ({ subtype, asked, at: answered }) => subtype === 'set_permission_mode' && asked <= resultAt && answered >= begin,
    ) ||
    session.sent.some(
      ({ message, at: place }) =>
        place >= begin && place <= resultAt && JSON.stringify(payloadOf(message) ?? {}).includes('setMode'),
    );
  return mode === 'default' && !mayChange;
}

/** Whether an answer with rules for the tool of a call has arrived after another answer to the same question. */
function hasRulesOfLaterAnswers(session: Session, call: Call): boolean {
  const questions = new Map<unknown, { answers: number }>();
  for (const { message, isOurs, at } of timelineOf(session)) {
    if (at > call.at) break;
    if (!isOurs && subtypeOf(message) === 'can_use_tool' && member(message, 'request', 'tool_name') === call.name)
      questions.set(message['request_id'], { answers: 0 });
    const question = isOurs ? questions.get(answeredId(message)) : undefined;
    if (question === undefined) continue;
    question.answers += 1;
    if (question.answers > 1 && listOf(member(payloadOf(message), 'updatedPermissions')).length > 0) return true;
  }
  return false;
}

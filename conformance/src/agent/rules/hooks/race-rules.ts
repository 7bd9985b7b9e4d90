import { shortJson } from '@proto/testkit/steps';

import { member, type Session, timeOf } from '../../session-log.ts';
import { type Call, callsOf, hasRun, isListedBy, resultsOfTurns, saidTo, wasRefused, type Settled } from '../calls.ts';
import { mayStop } from '../stops.ts';
import { fits, Registered } from './registered-hooks.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { subtypeOf, timelineOf } from '../timeline.ts';

export const raceRules: readonly Rule[] = [
  { name: 'race/approval-holds', spec: 'HOK-23', check: deniedApprovals },
  { name: 'race/question-cancelled', spec: 'HOK-24', check: questionsLeft },
  { name: 'race/answer-holds', spec: 'HOK-25', check: answersOutdone },
  { name: 'race/question-at-once', spec: 'HOK-22', check: questionsAfterHooks },
  { name: 'race/of-each-question', spec: 'HOK-5', check: uncalledForQuestions },
];

const NEVER = Infinity;
/** How long a question may follow its hook. */
const PATIENCE_MS = 2000;

/** Finds questions that were sent only when a hook of the same call was over, although it was open for a long time. */
function questionsAfterHooks(session: Session): Broken | undefined {
  return firstOf(callsOf(session), ({ question, races, name }) =>
    firstOf(races, ({ request, at, answeredAt = NEVER, cancelledAt = NEVER }) => {
      const over = Math.min(answeredAt, cancelledAt);
      return question !== undefined && question.at > over && timeOf(session, over) - timeOf(session, at) > PATIENCE_MS
        ? { message: `The permission request for a call to ${name} waited for a hook.`, got: request }
        : undefined;
    }),
  );
}

function decisionOf(hook: Settled): { readonly behavior: unknown; readonly at: number } | undefined {
  const behavior = member(saidTo(hook), 'hookSpecificOutput', 'decision', 'behavior');
  return behavior === undefined ? undefined : { behavior, at: hook.answeredAt ?? NEVER };
}

/** Finds a fault in the calls that hooks have decided, starting with the first decision. */
function decided(
  session: Session,
  check: (
    call: Call,
    first: { readonly behavior: unknown; readonly at: number },
    isListed: boolean,
  ) => Broken | undefined,
): Broken | undefined {
  const ends = resultsOfTurns(session);
  return firstOf(callsOf(session), (call) => {
    const end = ends.get(call.turn);
    const [first] = call.races.flatMap((hook) => decisionOf(hook) ?? []).toSorted((a, b) => a.at - b.at);
    if (end === undefined || first === undefined || mayStop(session, call.at, end.at)) return undefined;
    return check(call, first, isListedBy(end, call.id));
  });
}

const isFirst = ({ question }: Call, at: number) => question !== undefined && (question.answeredAt ?? NEVER) > at;

function deniedApprovals(session: Session): Broken | undefined {
  return decided(session, (call, { behavior, at }, isListed) =>
    behavior === 'allow' && isFirst(call, at) && isListed
      ? { message: `A hook allowed a call to ${call.name} first, but the call was denied.`, got: call.result }
      : undefined,
  );
}

function questionsLeft(session: Session): Broken | undefined {
  return decided(session, (call, { at }) => {
    const { question } = call;
    const isLeft = question !== undefined && question.answer === undefined && question.cancelledAt === undefined;
    return isLeft && isFirst(call, at)
      ? { message: 'A hook decided, but the agent did not cancel its request to the host.', got: question.request }
      : undefined;
  });
}

function answersOutdone(session: Session): Broken | undefined {
  return decided(session, (call, { behavior, at }, isListed) => {
    // If the host has answered with an error, the answer is a denial of the call.
    const said = wasRefused(call.question) ? 'deny' : member(saidTo(call.question), 'behavior');
    if (isFirst(call, at) || said === undefined || said === behavior) return undefined;
    const isOutdone = said === 'allow' ? isListed : hasRun(call);
    return isOutdone
      ? {
          message: `The host answered ${shortJson(said)} first, but the agent followed the decision of a hook.`,
          got: call.result,
        }
      : undefined;
  });
}

function uncalledForQuestions(session: Session): Broken | undefined {
  const registered = new Registered();
  const owed = new Map<unknown, number>();
  const count = (id: unknown, by: number) => owed.set(id, (owed.get(id) ?? 0) + by);
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    registered.follow(message, isOurs);
    if (isOurs) return undefined;
    const isTool = member(message, 'request', 'requires_user_interaction') !== true;
    if (subtypeOf(message) === 'can_use_tool' && isTool)
      for (const { matcher, ids } of registered.of('PermissionRequest'))
        if (fits(matcher, member(message, 'request', 'tool_name')) === true) for (const id of ids) count(id, 1);
    if (member(message, 'request', 'input', 'hook_event_name') === 'PermissionRequest')
      count(member(message, 'request', 'callback_id'), -1);
    if (message['type'] !== 'result') return undefined;
    const left = [...owed].find(([, times]) => times > 0);
    owed.clear();
    return left && { message: `The PermissionRequest hook ${shortJson(left[0])} was not called.`, got: message };
  });
}

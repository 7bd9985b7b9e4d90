import { isObject } from '@proto/testkit/steps';

import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { onceFor } from '../../../once-for.ts';
import { callResultsOf, initsOf, modeRequestsOf, repliesOf } from '../moments.ts';
import { firstAfter, lastBefore } from '../../../positions.ts';
import {
  type Call,
  callsOf,
  endOfInput,
  hasRun,
  isGivenUp,
  isListedBy,
  listedBy,
  resultsOfTurns,
  saidTo,
  wasAskedBefore,
  wasRefused,
} from '../calls.ts';
import { mayStop } from '../stops.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit, subtypeOf } from '../timeline.ts';

export const denialRules: readonly Rule[] = [
  { name: 'permission/denial-goes-on', spec: 'PRM-17', check: turnsCutOff },
  { name: 'permission/denial-that-interrupts', spec: 'PRM-18', check: turnsThatWentOn },
  { name: 'permission/approved-is-not-denied', spec: 'PRM-15', check: deniedApprovals },
  { name: 'permission/failure-is-listed', spec: 'PRM-19', check: unlistedFailures },
  { name: 'permission/denials-of-the-turn', spec: 'PRM-19', check: denialsOfOtherTurns },
  { name: 'permission/second-answer', spec: 'PRM-23', check: resultsOfSecondAnswers },
  { name: 'permission/not-given-up', spec: 'PRM-6', check: givenUp },
  { name: 'permission/dont-ask-denies', spec: 'PRM-34', check: ranInDontAsk },
];

interface End {
  readonly message: Message;
  readonly at: number;
}

function answeredCalls(session: Session, check: (call: Call, end: End) => Broken | undefined): Broken | undefined {
  const ends = resultsOfTurns(session);
  return firstOf(callsOf(session), (call) => {
    const end = ends.get(call.turn);
    const isInTime = end !== undefined && (call.question?.answeredAt ?? Infinity) < end.at;
    return isInTime ? check(call, end) : undefined;
  });
}

function turnsCutOff(session: Session): Broken | undefined {
  return answeredCalls(session, (call, { message, at: end }) => {
    const said = saidTo(call.question);
    const isPlain = member(said, 'behavior') === 'deny' && member(said, 'interrupt') !== true;
    const isLimit = String(message['subtype']).startsWith('error_max_') || message['deferred_tool_use'] !== undefined;
    // A prompt that has joined the turn may have ended it.
    const isShared = listOf(message['user_message_uuids']).length > 1;
    if (!isPlain || isLimit || isShared || mayStop(session, call.at, end)) return undefined;
    const goesOn = (firstAfter(repliesOf(session), call.resultAt ?? Infinity)?.at ?? Infinity) < end;
    return goesOn && message['subtype'] !== 'error_during_execution'
      ? undefined
      : { message: `After a call to ${call.name} was denied, the turn did not continue.`, got: message };
  });
}

function turnsThatWentOn(session: Session): Broken | undefined {
  return answeredCalls(session, ({ question }, { message }) => {
    const said = saidTo(question);
    const isStop = member(said, 'behavior') === 'deny' && member(said, 'interrupt') === true;
    return !isStop || message['subtype'] === 'error_during_execution'
      ? undefined
      : {
          message:
            'A denial contained interrupt: true, but the result does not have the subtype "error_during_execution".',
          got: message,
        };
  });
}

function unlistedFailures(session: Session): Broken | undefined {
  return answeredCalls(session, (call, end) =>
    !wasRefused(call.question) || call.races.length > 0 || isListedBy(end, call.id) || mayStop(session, call.at, end.at)
      ? undefined
      : {
          message: `permission_denials does not contain a call to ${call.name} whose permission request failed.`,
          got: end.message,
        },
  );
}

/** Finds calls that are reported as denied, although the host approved them and nothing else could have denied them. */
function deniedApprovals(session: Session): Broken | undefined {
  return answeredCalls(session, (call, end) => {
    const { question, hooks, races, at } = call;
    const said = saidTo(question);
    const input = member(said, 'updatedInput');
    const isApproval = member(said, 'behavior') === 'allow' && (input === undefined || isObject(input));
    if (question === undefined || !isApproval || hooks.length > 0 || races.length > 0) return undefined;
    const isDecided = (firstAfter(decidingOf(session), at)?.at ?? Infinity) < end.at;
    // An answer after the end of the input does not arrive.
    const isLate = (question.answeredAt ?? Infinity) > endOfInput(session);
    return isDecided || isLate || !isListedBy(end, call.id) || mayStop(session, at, end.at)
      ? undefined
      : { message: `permission_denials contains a call to ${call.name} that the host approved.`, got: end.message };
  });
}

function denialsOfOtherTurns(session: Session): Broken | undefined {
  const turnOf = new Map(callsOf(session).map(({ id, turn }) => [id, turn]));
  let turn = 0;
  return firstOf(session.received, (placed) => {
    if (isInit(placed.message)) turn += 1;
    const old =
      placed.message['type'] === 'result' && listedBy(placed).find((id) => (turnOf.get(id) ?? Infinity) < turn);
    return old === false || old === undefined
      ? undefined
      : { message: 'permission_denials contains a call from an earlier turn.', got: placed.message };
  });
}

function resultsOfSecondAnswers(session: Session): Broken | undefined {
  const answers = new Map<unknown, number[]>();
  for (const { message, at } of session.sent)
    if (message['type'] === 'control_response')
      if (answers.get(answeredId(message))?.push(at) === undefined) answers.set(answeredId(message), [at]);
  return firstOf(callsOf(session), ({ id, question, resultAt }) => {
    const second = answers.get(question?.request['request_id'])?.[1] ?? Infinity;
    const further = callResultsOf(session)
      .get(id)
      ?.find(({ at }) => at > second && at !== resultAt);
    return (
      further && {
        message: 'A second answer to the same permission request led to a second result.',
        got: further.message,
      }
    );
  });
}

/** Finds questions that the agent withdrew before the answer, and whose calls it denied, although nothing happened that could have decided them. */
function givenUp(session: Session): Broken | undefined {
  return firstOf(callsOf(session), (call) => {
    const { question, races, resultAt = Infinity } = call;
    if (question === undefined || !isGivenUp(question) || races.length > 0 || resultAt === Infinity) return undefined;
    const end = question.cancelledAt ?? Infinity;
    const isDecided = (firstAfter(decidingOf(session), question.at)?.at ?? Infinity) < end;
    return isDecided || hasRun(call) || end > endOfInput(session) || mayStop(session, call.at, end)
      ? undefined
      : {
          message: `The permission request for a call to ${call.name} was withdrawn without a cause.`,
          got: question.request,
        };
  });
}

/** What the host sent that may decide calls about which it did not answer. */
const decidingOf = onceFor(({ sent }: Session) =>
  sent.filter(
    ({ message }) =>
      subtypeOf(message) === 'set_permission_mode' || JSON.stringify(message).includes('updatedPermissions'),
  ),
);

function ranInDontAsk(session: Session): Broken | undefined {
  const text = JSON.stringify(session.sent);
  if (text.includes('updatedPermissions')) return undefined;
  return firstOf(callsOf(session), (call) => {
    if (call.mode !== 'dontAsk' || !hasRun(call) || call.hooks.length > 0) return undefined;
    const start = lastBefore(initsOf(session), call.at)?.at ?? 0;
    const isSure = (firstAfter(modeRequestsOf(session), start)?.at ?? Infinity) >= (call.resultAt ?? Infinity);
    return isSure && wasAskedBefore(session, call)
      ? { message: `A call to ${call.name} ran in the mode "dontAsk".`, got: call.result }
      : undefined;
  });
}

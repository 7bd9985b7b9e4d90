import { shortJson } from '@proto/testkit/steps';

import { hasFlag, member, type Message, type Session } from '../../session-log.ts';
import { type Call, callsOf } from '../calls.ts';
import { exchangesOf } from '../exchanges.ts';
import { blocksOfType, isMain } from '../messages/message-rules.ts';
import { boundsOf, initsOf } from '../moments.ts';
import { firstAfter, lastBefore } from '../../../positions.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';
import { type Turn, turnsWithResult } from './interrupted-turns.ts';

export const interruptRules: readonly Rule[] = [
  { name: 'interrupt/no-turn-no-result', spec: 'INT-2', check: resultsOfNoTurn },
  { name: 'interrupt/reason', spec: 'INT-4', check: otherReasons },
  { name: 'interrupt/answered-first', spec: 'INT-5', check: lateAnswers },
  { name: 'interrupt/answered-before-the-text', spec: 'INT-6', check: earlyTexts },
  { name: 'interrupt/same-session', spec: 'INT-10', check: otherSessions },
  { name: 'interrupt/of-no-later-turn', spec: 'INT-10', check: interruptedByNothing },
  { name: 'interrupt/calls-have-results', spec: 'INT-13', check: callsWithoutResult },
  { name: 'interrupt/one-text', spec: 'INT-8', check: otherTexts },
  { name: 'interrupt/part-marked', spec: 'INT-7', check: unmarkedParts },
  { name: 'interrupt/none-left', spec: 'INT-16', check: turnsOfRemoved },
  { name: 'interrupt/open-calls-fail', spec: 'INT-13', check: callsWithoutError },
];

/** Finds a turn that ends like an interrupted one although the last interrupt was answered when the agent had nothing to do. */
function interruptedByNothing(session: Session): Broken | undefined {
  const hasInterrupt = session.sent.some(({ message }) => subtypeOf(message) === 'interrupt');
  if (!hasInterrupt) return undefined;
  return firstOf(turnsWithResult(session), ({ messages, asked, isUnsure }) => {
    const text = messages.find((message) => textsOf(message).some((text) => text.startsWith(TEXT)));
    return text !== undefined && asked.size === 0 && !isUnsure
      ? { message: 'An interrupt that arrived when no turn was running has ended a later turn.', got: text }
      : undefined;
  });
}

/** Finds a fault in the turns that were ended only by an interrupt. */
function each(session: Session, check: (turn: Turn, result: Message) => Broken | undefined): Broken | undefined {
  return firstOf(turnsWithResult(session), (turn) => {
    const result = turn.messages.at(-1);
    const isPlain = turn.isInterrupted && !turn.isUnsure && result?.['subtype'] === 'error_during_execution';
    return isPlain && result !== undefined ? check(turn, result) : undefined;
  });
}

function resultsOfNoTurn(session: Session): Broken | undefined {
  let isOpen = false;
  let isAsked = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs) {
      isAsked ||= subtypeOf(message) === 'interrupt';
      return undefined;
    }
    if (isInit(message)) isOpen = true;
    if (message['type'] !== 'result') return undefined;
    const isWrong = isAsked && !isOpen && message['subtype'] === 'error_during_execution';
    isOpen = false;
    return isWrong
      ? { message: 'A result arrived after an interrupt, although no turn was running.', got: message }
      : undefined;
  });
}

function otherReasons(session: Session): Broken | undefined {
  return each(session, ({ openCalls, messages }, result) => {
    const reason = result['terminal_reason'];
    // The model was still replying, and its reply had already made calls: both reasons are accepted.
    if (messages.some((message) => message['aborted'] === true)) return undefined;
    const wanted = openCalls.size > 0 ? 'aborted_tools' : 'aborted_streaming';
    // If no call is open, both reasons are accepted: the interrupt may have arrived between the last tool result and the next reply.
    const isBetween = openCalls.size === 0 && reason === 'aborted_tools';
    return reason === wanted || isBetween
      ? undefined
      : { message: `terminal_reason is ${shortJson(reason)}, but must be ${wanted}.`, got: result };
  });
}

function lateAnswers(session: Session): Broken | undefined {
  return firstOf(turnsWithResult(session), ({ asked, isInterrupted, isUnsure, messages }) => {
    const result = messages.at(-1);
    const isEnded = String(result?.['terminal_reason']).startsWith('aborted');
    return asked.size > 0 && isEnded && !isInterrupted && !isUnsure
      ? { message: 'An interrupt ended the turn, but was not answered before the result.', got: result }
      : undefined;
  });
}

function earlyTexts(session: Session): Broken | undefined {
  return each(session, ({ messages, asked }) => {
    const answer = messages.findIndex((message) => asked.has(answeredId(message)));
    const early = messages.slice(0, answer).find((message) => textsOf(message).some((text) => text.startsWith(TEXT)));
    return early && { message: 'An interrupt was reported before it was answered.', got: early };
  });
}

function otherSessions(session: Session): Broken | undefined {
  const ended = new Map<unknown, unknown>();
  each(session, ({ messages }, result) => {
    ended.set(result, messages[0]?.['session_id']);
    return undefined;
  });
  let id: unknown;
  return firstOf(session.received, ({ message }) => {
    if (message['type'] === 'conversation_reset') id = undefined;
    if (ended.has(message)) id = ended.get(message);
    const isOther = isInit(message) && id !== undefined && message['session_id'] !== id;
    if (isInit(message)) id = undefined;
    return isOther ? { message: 'The turn after an interrupt has a different session_id.', got: message } : undefined;
  });
}

function callsWithoutResult(session: Session): Broken | undefined {
  return each(session, ({ messages, openCalls }, result) => {
    const done = new Set(
      messages.flatMap((message) => blocksOfType(message, 'tool_result').map(({ tool_use_id: id }) => id)),
    );
    const left = [...openCalls].find((id) => !done.has(id));
    return left === undefined
      ? undefined
      : { message: `The call ${shortJson(left)} of an interrupted turn has no result.`, got: result };
  });
}

const TEXT = '[Request interrupted by user';
const TOOL_TEXT = `${TEXT} for tool use]`;

function otherTexts(session: Session): Broken | undefined {
  return each(session, ({ messages }, result) => {
    const texts = messages.flatMap(textsOf).filter((text) => text.startsWith(TEXT));
    if (texts.length !== 1)
      return {
        message: `The turn was interrupted, but ${texts.length} messages report the interrupt instead of exactly one.`,
        got: result,
      };
    const isTool = texts[0]?.startsWith(TOOL_TEXT) === true;
    return isTool === (result['terminal_reason'] === 'aborted_tools') || result['terminal_reason'] === undefined
      ? undefined
      : { message: `The text ${shortJson(texts[0])} does not match the terminal_reason.`, got: result };
  });
}

function textsOf(message: Message): readonly string[] {
  const content = member(message, 'message', 'content');
  if (message['type'] !== 'user' || !isMain(message)) return [];
  if (typeof content === 'string') return [content];
  return blocksOfType(message, 'text').map(({ text }) => String(text));
}

/** Finds texts that the model had begun according to partial messages, but of which no part was sent. */
function unmarkedParts(session: Session): Broken | undefined {
  if (!hasFlag(session, '--include-partial-messages')) return undefined;
  return each(session, ({ messages }, result) => {
    let begun = '';
    for (const message of messages) {
      const { event } = message;
      if (message['type'] === 'assistant' && isMain(message)) begun = '';
      const piece = member(event, 'delta', 'text');
      if (message['type'] === 'stream_event' && isMain(message) && typeof piece === 'string') begun += piece;
      // A piece that was sent after the answer to the interrupt may have been lost.
      if (payloadOf(message) !== undefined) break;
    }
    const isSent = messages.some((message) => message['aborted'] === true && isMain(message));
    return begun.trim() === '' || isSent
      ? undefined
      : {
          message: 'A part of a reply was written before the interrupt, but no message has aborted: true.',
          got: result,
        };
  });
}

/** Finds questions that were open at the interrupt and whose calls have a result without `is_error`. */
function callsWithoutError(session: Session): Broken | undefined {
  const withdrawn = new Set(callsOf(session).flatMap((call) => (isWithdrawn(call) ? [call.id] : [])));
  return each(session, ({ messages, openCalls }) => {
    const wrong = messages
      .flatMap((message) => blocksOfType(message, 'tool_result'))
      .find(({ tool_use_id: id, is_error: isError }) => openCalls.has(id) && withdrawn.has(id) && isError !== true);
    return (
      wrong && {
        message: 'The permission request for a call was withdrawn, but the result of the call lacks is_error.',
        got: wrong,
      }
    );
  });
}

/** Whether nobody has decided about a call. An agent also withdraws its permission request if a `PermissionRequest` hook has approved the call. */
function isWithdrawn({ question, races }: Call): boolean {
  const isApproved = races.some(
    ({ answer = {} }) => member(payloadOf(answer), 'hookSpecificOutput', 'decision', 'behavior') === 'allow',
  );
  return question?.cancelledAt !== undefined && !isApproved;
}

/**
 * Finds a turn that began after an interrupt removed all waiting prompts and before the host sent another prompt. This also finds prompts without an
 * id. Sessions with tasks are left out, because the turn of a task has no prompt. Interrupts that were answered while no turn was running, or after a
 * further prompt has started, are left out, because the turn of a started prompt may already have begun.
 */
function turnsOfRemoved(session: Session): Broken | undefined {
  if (session.received.some(({ message }) => message['subtype'] === 'task_started')) return undefined;
  const ours = session.sent.filter(({ message }) => message['type'] === 'user');
  const starts = session.received.filter(({ message }) => message['state'] === 'started');
  return firstOf(exchangesOf(session), ({ subtype, request, payload, asked, at }) => {
    if (subtype !== 'interrupt' || request['cancel_queued'] !== true || payload === undefined) return undefined;
    const next = firstAfter(ours, asked);
    const last = lastBefore(boundsOf(session), at);
    if (last === undefined || !isInit(last.message) || (lastBefore(starts, at)?.at ?? -1) > last.at) return undefined;
    const begun = firstAfter(initsOf(session), at);
    return begun === undefined || begun.at > (next?.at ?? Infinity)
      ? undefined
      : { message: 'A turn has begun, although all waiting prompts were removed.', got: begun.message };
  });
}

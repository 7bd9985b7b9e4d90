import { isObject, shortJson } from '@proto/testkit/steps';

import { member, type Message, type Session, timeOf } from '../../session-log.ts';
import { type Exchange, exchangesOf } from '../exchanges.ts';
import { boundsOf, resultsOf } from '../moments.ts';
import { firstAfter, lastBefore } from '../../../positions.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const requestRules: readonly Rule[] = [
  { name: 'answer/unknown-subtype', spec: 'CTL-18', check: (session) => each(session, servedUnknown) },
  { name: 'answer/unknown-code', spec: 'CTL-19', check: (session) => each(session, otherCode) },
  { name: 'answer/other-direction', spec: 'CTL-20', check: (session) => each(session, servedOwnKind) },
  { name: 'answer/wrong-arguments', spec: 'CTL-8', check: (session) => each(session, servedWrongArguments) },
  { name: 'answer/initialize', spec: 'CTL-32', check: (session) => each(session, poorInitialize) },
  { name: 'answer/while-a-turn-runs', spec: 'CTL-13', check: answersAfterTheTurn },
  { name: 'cancel/no-answer', spec: 'CTL-24', check: answersToCancels },
  { name: 'keep-alive/no-answer', spec: 'FRM-28', check: answersToKeepAlive },
  { name: 'cancel/open-request', spec: 'CTL-41', check: cancelsOfAnswered },
];

function each(session: Session, check: (exchange: Exchange) => string | undefined): Broken | undefined {
  return firstOf(exchangesOf(session), (exchange) => {
    const message = check(exchange);
    return message === undefined ? undefined : { message, got: exchange.answer };
  });
}

const isUnknown = ({ subtype }: Exchange) => String(subtype).startsWith('conformance_no_such_request');
const isOwnKind = ({ subtype }: Exchange) => subtype === 'can_use_tool' || subtype === 'hook_callback';
const codeOf = ({ answer }: Exchange) => member(answer, 'response', 'error_code');

function servedUnknown(exchange: Exchange): string | undefined {
  return isUnknown(exchange) && exchange.payload !== undefined
    ? `A request with the subtype ${String(exchange.subtype)} was answered with success.`
    : undefined;
}

function otherCode(exchange: Exchange): string | undefined {
  return isUnknown(exchange) && exchange.payload === undefined && codeOf(exchange) !== 'unsupported_request'
    ? `The error for an unknown subtype has the error_code ${shortJson(codeOf(exchange))}.`
    : undefined;
}

function servedOwnKind(exchange: Exchange): string | undefined {
  return isOwnKind(exchange) && (exchange.payload !== undefined || codeOf(exchange) !== 'unsupported_request')
    ? `A ${String(exchange.subtype)} request from the host was not answered with the error unsupported_request.`
    : undefined;
}

const ARGUMENT_TYPES: Readonly<Record<string, Readonly<Record<string, 'string' | 'object'>>>> = {
  set_permission_mode: { mode: 'string' },
  mcp_toggle: { serverName: 'string' },
  mcp_reconnect: { serverName: 'string' },
  mcp_set_servers: { servers: 'object' },
  stop_task: { task_id: 'string' },
};

function servedWrongArguments({ subtype, request, payload }: Exchange): string | undefined {
  if (payload === undefined) return undefined;
  const model = request['model'] ?? undefined;
  if (subtype === 'set_model' && model !== undefined && typeof model !== 'string')
    return `set_model succeeded, although the model is ${shortJson(model)} and not a string.`;
  const wrong = Object.entries(ARGUMENT_TYPES[String(subtype)] ?? {}).find(([name, type]) =>
    type === 'object' ? !isObject(request[name]) : typeof request[name] !== type,
  );
  return (
    wrong && `${String(subtype)} succeeded, although ${wrong[0]} has the wrong type: ${shortJson(request[wrong[0]])}.`
  );
}

const LISTS = ['commands', 'agents', 'available_output_styles', 'models'];

function poorInitialize({ subtype, payload }: Exchange): string | undefined {
  if (subtype !== 'initialize' || payload === undefined) return undefined;
  const missing =
    LISTS.find((name) => !Array.isArray(member(payload, name))) ??
    (typeof member(payload, 'output_style') === 'string' ? undefined : 'output_style') ??
    (isObject(member(payload, 'account')) ? undefined : 'account');
  return missing && `In the answer to initialize, ${missing} is missing or has a wrong type.`;
}

// If the rest of the turn takes at least this long, an answer after the turn has waited for the end of the turn. On a busy machine, an agent might
// get no processor time for a whole second.
const REST_OF_A_TURN_MS = 1500;
// Other requests, such as a change of the model, may themselves take time.
const isQuick = (exchange: Exchange) =>
  isUnknown(exchange) || isOwnKind(exchange) || QUICK.has(String(exchange.subtype));
const QUICK = new Set(['set_permission_mode', 'cancel_async_message', 'mcp_status', 'stop_task']);

function answersAfterTheTurn(session: Session): Broken | undefined {
  return firstOf(exchangesOf(session), (exchange) => {
    const { subtype, asked, answer, at } = exchange;
    const before = lastBefore(boundsOf(session), asked);
    const end = firstAfter(resultsOf(session), asked);
    if (before === undefined || !isInit(before.message) || end === undefined || !isQuick(exchange)) return undefined;
    const hasWaited = at > end.at && timeOf(session, end.at) - timeOf(session, asked) > REST_OF_A_TURN_MS;
    return hasWaited
      ? {
          message: `${String(subtype)} was sent while a turn was running, but was answered only after the turn.`,
          got: answer,
        }
      : undefined;
  });
}

function answersToKeepAlive({ sent, received }: Session): Broken | undefined {
  const idsOf = (isOne: (message: Message) => boolean) =>
    new Set(sent.flatMap(({ message }) => (isOne(message) ? [message['request_id']] : [])));
  const alive = idsOf(({ type, request_id: id }) => type === 'keep_alive' && id !== undefined);
  const requested = idsOf((message) => subtypeOf(message) !== undefined);
  return firstOf(received, ({ message }) =>
    alive.has(answeredId(message)) && !requested.has(answeredId(message))
      ? { message: 'A keep_alive message was answered.', got: message }
      : undefined,
  );
}

/** Finds answers with an id that only a cancel has, and second answers after a cancel. */
function answersToCancels({ sent, received }: Session): Broken | undefined {
  const cancelled = new Map<unknown, number>();
  const requested = new Map<unknown, number>();
  for (const { message, at } of sent) {
    const id = message['request_id'];
    if (message['type'] === 'control_cancel_request') cancelled.set(id, cancelled.get(id) ?? at);
    if (subtypeOf(message) !== undefined) requested.set(id, (requested.get(id) ?? 0) + 1);
  }
  const answered = new Map<unknown, number>();
  return firstOf(received, ({ message, at }) => {
    if (message['type'] !== 'control_response') return undefined;
    const id = answeredId(message);
    const count = (answered.get(id) ?? 0) + 1;
    answered.set(id, count);
    const isExtra = (cancelled.get(id) ?? Infinity) < at && count > (requested.get(id) ?? 0);
    return isExtra ? { message: `The cancellation of ${shortJson(id)} was answered.`, got: message } : undefined;
  });
}

function cancelsOfAnswered(session: Session): Broken | undefined {
  return cancelsAfterTurns(session) ?? cancelsOfQuestions(session);
}

/**
 * Finds cancels of requests that were answered before the result of their turn. An agent does not end a turn that waits for an answer, but does not
 * wait for a `PermissionRequest` hook if the host has decided.
 */
function cancelsAfterTurns(session: Session): Broken | undefined {
  const answered = new Set<unknown>();
  const over = new Set<unknown>();
  const races = new Set<unknown>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (!isOurs && member(message, 'request', 'input', 'hook_event_name') === 'PermissionRequest')
      races.add(message['request_id']);
    const id = answeredId(message);
    if (isOurs && message['type'] === 'control_response' && !races.has(id)) answered.add(id);
    if (!isOurs && message['type'] === 'result') {
      for (const each of answered) over.add(each);
      answered.clear();
    }
    return !isOurs && message['type'] === 'control_cancel_request' && over.has(message['request_id'])
      ? { message: 'A request was cancelled after it was answered.', got: message }
      : undefined;
  });
}

/** Finds cancels of questions that were answered before anything else could have withdrawn them. */
function cancelsOfQuestions(session: Session): Broken | undefined {
  const hasRaces = session.sent.some(({ message }) => JSON.stringify(message).includes('PermissionRequest'));
  if (hasRaces || session.signalledByStep === true) return undefined;
  const asked = new Set<unknown>();
  const answered = new Set<unknown>();
  // Requests and prompts that end a turn, and have not taken effect. An answer may cross the cancel that they cause.
  const ending = new Set<unknown>();
  let mayCross = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && endsTurn(message)) {
      mayCross = true;
      // The agent does not report when a prompt without a uuid takes effect.
      ending.add(message['request_id'] ?? message['uuid'] ?? Symbol('without uuid'));
    }
    if (isOurs && message['type'] === 'control_response' && !mayCross) answered.add(answeredId(message));
    if (!isOurs) ending.delete(message['state'] === 'started' ? message['command_uuid'] : answeredId(message));
    if (!isOurs && message['type'] === 'result') mayCross = ending.size > 0;
    if (!isOurs && subtypeOf(message) === 'can_use_tool') asked.add(message['request_id']);
    const id = message['request_id'];
    return !isOurs && message['type'] === 'control_cancel_request' && asked.has(id) && answered.has(id)
      ? { message: 'A permission request was cancelled after it was answered.', got: message }
      : undefined;
  });
}

export function endsTurn(message: Message): boolean {
  const isRequest = ['interrupt', 'end_session'].includes(String(subtypeOf(message)));
  return isRequest || message['priority'] === 'now' || member(payloadOf(message), 'interrupt') === true;
}

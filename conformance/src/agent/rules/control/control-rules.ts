import { type ParseMode, parseControlAnswer } from '@proto/core/messages';
import { isObject } from '@proto/testkit/steps';

import { hasFlag, member, type Session } from '../../session-log.ts';
import { blocksOfType } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';

export const controlRules: readonly Rule[] = [
  {
    name: 'request/form',
    spec: 'CTL-1',
    check: ({ received }) =>
      firstOf(received, ({ message }) =>
        message['type'] === 'control_request' &&
        !(typeof message['request_id'] === 'string' && typeof member(message, 'request', 'subtype') === 'string')
          ? { message: 'A control_request lacks a request_id, or a request with a subtype.', got: message }
          : undefined,
      ),
  },
  {
    name: 'response/form',
    spec: 'CTL-2',
    check: ({ received }) =>
      firstOf(received, ({ message }) =>
        message['type'] === 'control_response' &&
        !(
          isObject(message['response']) && ['success', 'error'].includes(String(member(message, 'response', 'subtype')))
        )
          ? { message: 'A control_response lacks a response with the subtype "success" or "error".', got: message }
          : undefined,
      ),
  },
  { name: 'response/known-id', spec: 'CTL-5', check: answersOfNothing },
  { name: 'response/once', spec: 'CTL-3', check: doubleAnswers },
  { name: 'response/always', spec: 'CTL-3', check: missingAnswers },
  { name: 'response/payload', spec: 'CTL-7', check: (session) => wrongPayload(session, 'lenient') },
  {
    name: 'response/optional-members',
    spec: 'MSG-38',
    check: (session) => (wrongPayload(session, 'lenient') === undefined ? wrongPayload(session, 'strict') : undefined),
  },
  { name: 'request/unique-id', spec: 'CTL-4', check: sharedIds },
  {
    name: 'permission/only-with-flag',
    spec: 'PRM-1',
    check: (session) =>
      hasFlag(session, '--permission-prompt-tool')
        ? undefined
        : firstOf(session.received, ({ message }) =>
            member(message, 'request', 'subtype') === 'can_use_tool'
              ? { message: 'A can_use_tool request was sent without --permission-prompt-tool stdio.', got: message }
              : undefined,
          ),
  },
  { name: 'permission/known-call', spec: 'PRM-4', check: questionsAboutNothing },
];

function requestsById({ sent }: Session): Map<unknown, { readonly subtype: unknown; readonly at: number }[]> {
  const requests = new Map<unknown, { subtype: unknown; at: number }[]>();
  for (const { message, at } of sent) {
    if (message['type'] !== 'control_request') continue;
    const id = message['request_id'] ?? message['requestId'];
    const request = { subtype: member(message, 'request', 'subtype'), at };
    if (requests.get(id)?.push(request) === undefined) requests.set(id, [request]);
  }
  return requests;
}

/** With `--replay-user-messages`, the agent also echoes the host's answers. These echoes are left out. */
function responsesOf(session: Session) {
  const { received, sent } = session;
  const ours = sent.flatMap(({ message }) =>
    message['type'] === 'control_response' ? [member(message, 'response', 'request_id')] : [],
  );
  const echoed = new Set(hasFlag(session, '--replay-user-messages') ? ours : []);
  return received.flatMap(({ message, at }) =>
    message['type'] === 'control_response' &&
    isObject(message['response']) &&
    !echoed.has(message['response']['request_id'])
      ? [{ message, at, id: member(message, 'response', 'request_id'), response: message['response'] }]
      : [],
  );
}

function answersOfNothing(session: Session): Broken | undefined {
  const requests = requestsById(session);
  return firstOf(responsesOf(session), ({ id, at, message }) =>
    (requests.get(id) ?? []).some((request) => request.at < at)
      ? undefined
      : {
          message: `An answer has the request_id ${JSON.stringify(id)}, which does not belong to any request.`,
          got: message,
        },
  );
}

function doubleAnswers(session: Session): Broken | undefined {
  const requests = requestsById(session);
  const counts = new Map<unknown, number>();
  return firstOf(responsesOf(session), ({ id, message }) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    const requested = requests.get(id)?.length;
    return requested === undefined || count <= requested
      ? undefined
      : { message: `The request ${JSON.stringify(id)} was answered ${count} times.`, got: message };
  });
}

function missingAnswers(session: Session): Broken | undefined {
  if (!session.isComplete) return undefined;
  const cancelled = new Set(
    session.sent.flatMap(({ message }) =>
      message['type'] === 'control_cancel_request' ? [message['request_id']] : [],
    ),
  );
  const answered = new Set(responsesOf(session).map(({ id }) => id));
  return firstOf(requestsById(session), ([id, requests]) =>
    id === undefined || answered.has(id) || cancelled.has(id) || requests.every(({ subtype }) => subtype === undefined)
      ? undefined
      : { message: `The request ${JSON.stringify(id)} (${String(requests[0]?.subtype)}) was never answered.` },
  );
}

/** Finds an invalid payload. `lenient` checks only required members, and `strict` also checks optional members. */
function wrongPayload(session: Session, mode: ParseMode): Broken | undefined {
  const requests = requestsById(session);
  return firstOf(responsesOf(session), ({ id, response, message }) => {
    const subtype = requests.get(id)?.[0]?.subtype;
    const payload = response['response'];
    if (response['subtype'] !== 'success' || payload === undefined || typeof subtype !== 'string') return undefined;
    const parsed = parseControlAnswer(subtype, payload, mode);
    if (parsed.kind !== 'invalid') return undefined;
    const issues = parsed.issues.map(({ path, message: text }) => `${path.join('.')}: ${text}`).join('; ');
    return {
      message: `The answer to ${subtype} has a wrong form: ${issues}.`,
      got: message,
    };
  });
}

function sharedIds(session: Session): Broken | undefined {
  const open = new Set<unknown>();
  const all = [
    ...session.received.map((placed) => ({ ...placed, isOurs: false })),
    ...session.sent.map((placed) => ({ ...placed, isOurs: true })),
  ].toSorted((a, b) => a.at - b.at);
  return firstOf(all, ({ message, isOurs }) => {
    const { type, request_id: id } = message;
    if (isOurs && type === 'control_response') open.delete(member(message, 'response', 'request_id'));
    if (!isOurs && type === 'control_cancel_request') open.delete(id);
    if (isOurs || type !== 'control_request') return undefined;
    if (open.has(id)) return { message: `Two open requests of the agent have the id ${String(id)}.`, got: message };
    open.add(id);
    return undefined;
  });
}

function questionsAboutNothing({ received }: Session): Broken | undefined {
  const calls = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    for (const block of blocksOfType(message, 'tool_use')) calls.add(block['id']);
    if (message['type'] !== 'control_request' || member(message, 'request', 'subtype') !== 'can_use_tool')
      return undefined;
    const id = member(message, 'request', 'tool_use_id');
    // A question about a network connection does not belong to a call.
    if (calls.has(id) || member(message, 'request', 'input', 'host') !== undefined) return undefined;
    return {
      message: `A can_use_tool request names the call ${String(id)}, but no earlier tool_use block has this id.`,
      got: message,
    };
  });
}

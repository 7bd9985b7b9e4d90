import { isObject, shortJson } from '@proto/testkit/steps';

import { hasFlag, member, type Session } from '../../session-log.ts';
import { type Exchange, exchangesOf } from '../exchanges.ts';
import { blocksOfType } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, subtypeOf, timelineOf } from '../timeline.ts';

export const answerRules: readonly Rule[] = [
  { name: 'answer/interrupt', spec: 'INT-1', check: (session) => each(session, 'interrupt', mustSucceed) },
  { name: 'answer/second-initialize', spec: 'CTL-33', check: refusedInitialize },
  { name: 'answer/mode-exists', spec: 'PRM-29', check: (session) => each(session, 'set_permission_mode', unknownMode) },
  { name: 'answer/bypass', spec: 'PRM-30', check: grantedBypass },
  { name: 'answer/mode-code', spec: 'PRM-36', check: (session) => each(session, 'set_permission_mode', modeCode) },
  {
    name: 'answer/mode-accepted',
    spec: 'PRM-33',
    check: (session) => each(session, 'set_permission_mode', refusedMode),
  },
  { name: 'answer/no-bypass', spec: 'PRM-30', check: bypassTaken },
  { name: 'answer/hooks-form', spec: 'HOK-3', check: (session) => each(session, 'initialize', wrongHooksTaken) },
  { name: 'answer/server-message', spec: 'MCP-16', check: (session) => each(session, 'mcp_message', mustSucceed) },
  { name: 'answer/added-servers', spec: 'MCP-22', check: otherServers },
  { name: 'answer/stop-task', spec: 'INT-28', check: (session) => each(session, 'stop_task', stopOfATask) },
  { name: 'answer/task-output', spec: 'INT-29', check: outputOfNothing },
  { name: 'answer/open-questions', spec: 'CTL-34', check: unlistedQuestions },
];

const MODES = new Set(['default', 'manual', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto']);

type Check = (exchange: Exchange) => string | undefined;

function each(session: Session, subtype: string, check: Check): Broken | undefined {
  return firstOf(exchangesOf(session), (exchange) => {
    const message = exchange.subtype === subtype ? check(exchange) : undefined;
    return message === undefined ? undefined : { message, got: exchange.answer };
  });
}

function mustSucceed({ payload, subtype, request }: Exchange): string | undefined {
  // Arguments of the wrong type may be refused.
  const isWrong = subtype === 'mcp_message' && !isObject(request['message']);
  return payload !== undefined || isWrong ? undefined : `${String(subtype)} was refused.`;
}

function codeOf({ answer }: Exchange): unknown {
  return member(answer, 'response', 'error_code');
}

/** Finds an `initialize` without hooks that was refused although an earlier one succeeded. */
function refusedInitialize(session: Session): Broken | undefined {
  let hasSucceeded = false;
  return each(session, 'initialize', ({ payload, request }) => {
    if (payload !== undefined) hasSucceeded = true;
    return payload === undefined && hasSucceeded && request['hooks'] === undefined
      ? 'A second initialize was refused.'
      : undefined;
  });
}

function unknownMode({ payload, request }: Exchange): string | undefined {
  const { mode } = request;
  return payload !== undefined && typeof mode === 'string' && !MODES.has(mode)
    ? `The mode ${shortJson(mode)} does not exist, but was accepted.`
    : undefined;
}

function mayBypass(session: Session): boolean {
  return (
    hasFlag(session, '--allow-dangerously-skip-permissions') ||
    hasFlag(session, '--dangerously-skip-permissions') ||
    session.args.join(' ').includes('bypassPermissions')
  );
}

function grantedBypass(session: Session): Broken | undefined {
  if (mayBypass(session)) return undefined;
  return each(session, 'set_permission_mode', ({ payload, request }) =>
    payload !== undefined && request['mode'] === 'bypassPermissions'
      ? 'The mode "bypassPermissions" was accepted, although it was not allowed when the agent was started.'
      : undefined,
  );
}

const FREE_MODES = new Set<unknown>(['default', 'acceptEdits', 'plan', 'dontAsk']);

function refusedMode(exchange: Exchange): string | undefined {
  const { mode } = exchange.request;
  const isServed = codeOf(exchange) !== 'unsupported_request';
  return exchange.payload === undefined && FREE_MODES.has(mode) && isServed
    ? `The mode ${shortJson(mode)} was refused.`
    : undefined;
}

function bypassTaken(session: Session): Broken | undefined {
  if (mayBypass(session)) return undefined;
  return firstOf(session.received, ({ message }) =>
    message['permissionMode'] === 'bypassPermissions'
      ? {
          message: 'The session has the mode "bypassPermissions", which was not allowed when the agent was started.',
          got: message,
        }
      : undefined,
  );
}

function areMatchers(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => Array.isArray(member(each, 'hookCallbackIds')));
}

function wrongHooksTaken({ payload, request: { hooks } }: Exchange): string | undefined {
  const isRight = hooks === undefined || hooks === null || (isObject(hooks) && Object.values(hooks).every(areMatchers));
  return payload === undefined || isRight
    ? undefined
    : 'The member hooks was accepted, although it is not an object whose values are arrays of matchers.';
}

function modeCode(exchange: Exchange): string | undefined {
  const { mode } = exchange.request;
  if (exchange.payload !== undefined || typeof mode !== 'string') return undefined;
  const code = codeOf(exchange);
  const wanted = MODES.has(mode) ? 'bypass_not_launched' : 'invalid_mode';
  const isKnown = mode === 'bypassPermissions' || !MODES.has(mode);
  return isKnown && code !== wanted && code !== 'unsupported_request'
    ? `The error for the mode ${shortJson(mode)} has the error_code ${shortJson(code)}, but must have ${wanted}.`
    : undefined;
}

/** Finds answers to `mcp_set_servers` that do not list exactly the servers that were added or removed. */
function otherServers(session: Session): Broken | undefined {
  let before = new Set<string>();
  const other = new Set(session.sent.flatMap(({ message }) => namesOf(member(message, 'request', 'sdkMcpServers'))));
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer }) => {
    const { servers } = request;
    if (subtype !== 'mcp_set_servers' || payload === undefined || !isObject(servers)) return undefined;
    const now = new Set(Object.keys(servers));
    const earlier = before;
    before = now;
    const failed = new Set(Object.keys(member(payload, 'errors') ?? {}));
    const added = [...now].filter((name) => !earlier.has(name) && !failed.has(name));
    const removed = [...earlier].filter((name) => !now.has(name));
    // An agent may treat the servers from `initialize` like servers from the request.
    const isSame = (given: unknown, wanted: readonly string[]) =>
      isSameSet(
        namesOf(given).filter((name) => !other.has(name)),
        wanted.filter((name) => !other.has(name)),
      );
    return isSame(member(payload, 'added'), added) && isSame(member(payload, 'removed'), removed)
      ? undefined
      : {
          message: `The answer to mcp_set_servers must list ${shortJson(added)} as added and ${shortJson(removed)} as removed.`,
          got: answer,
        };
  });
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return shortJson(a.toSorted(), 5000) === shortJson(b.toSorted(), 5000);
}

function stopOfATask(exchange: Exchange): string | undefined {
  const isServed = typeof exchange.request['task_id'] === 'string' && codeOf(exchange) !== 'unsupported_request';
  return exchange.payload === undefined && isServed ? 'stop_task was refused.' : undefined;
}

function outputOfNothing(session: Session): Broken | undefined {
  const known = new Set(session.received.map(({ message }) => message['task_id']));
  return each(session, 'get_task_output', ({ payload, request }) =>
    payload !== undefined && !known.has(request['task_id'])
      ? 'get_task_output succeeded for a task that does not exist.'
      : undefined,
  );
}

function subtypeOfWholeRequest(value: unknown): unknown {
  return isObject(value) && typeof value['request_id'] === 'string' ? subtypeOf(value) : undefined;
}

/** Finds open questions that the answer to a later `initialize` does not list, and listed questions that are over or are not complete messages. */
function unlistedQuestions(session: Session): Broken | undefined {
  const open = new Set<unknown>();
  // The questions that were open when the request was sent. A later question may cross the request.
  const atRequest = new Map<unknown, readonly unknown[]>();
  // The questions whose call already has its result.
  const over = new Set<unknown>();
  const questionOf = new Map<unknown, unknown>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && subtypeOf(message) === 'initialize') atRequest.set(message['request_id'], [...open]);
    if (isOurs) open.delete(answeredId(message));
    if (isOurs) return undefined;
    if (subtypeOf(message) === 'can_use_tool') {
      open.add(message['request_id']);
      questionOf.set(member(message, 'request', 'tool_use_id'), message['request_id']);
    }
    for (const { tool_use_id: call } of blocksOfType(message, 'tool_result'))
      if (questionOf.has(call)) over.add(questionOf.get(call));
    if (message['type'] === 'control_cancel_request') open.delete(message['request_id']);
    const wanted = atRequest.get(answeredId(message));
    const listed = member(message, 'response', 'pending_permission_requests');
    if (message['type'] !== 'control_response' || wanted === undefined || !Array.isArray(listed)) return undefined;
    const ids = listed.map((request) => member(request, 'request_id'));
    const known = new Set(ids);
    const missing = wanted.find((id) => open.has(id) && !known.has(id));
    if (missing !== undefined)
      return {
        message: `The open request ${shortJson(missing)} is missing from pending_permission_requests.`,
        got: message,
      };
    const wrong = listed.find(
      (request, place) => subtypeOfWholeRequest(request) !== 'can_use_tool' || over.has(ids[place]),
    );
    return wrong === undefined
      ? undefined
      : {
          message:
            'pending_permission_requests contains a value that is not a message, or a request that is no longer open.',
          got: message,
        };
  });
}

import { shortJson } from '@proto/testkit/steps';

import { member, type Message, type Placed, type Session } from '../../session-log.ts';
import { keyOfCall } from '../calls.ts';
import { toolPrefixOf } from '../turns/init-rules.ts';
import { blocksOfType } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { sorted } from '../messages/stream-rules.ts';
import { ValuedMap } from '../valued-map.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const sameRules: readonly Rule[] = [
  { name: 'denial/same-call', spec: 'PRM-45', check: denialsOfOthers },
  { name: 'denial/reported-call', spec: 'PRM-46', check: reportedDenialsOfOthers },
  { name: 'hook/same-input', spec: 'HOK-48', check: otherInputs },
  { name: 'hook/same-session', spec: 'HOK-49', check: otherSessions },
  { name: 'hook/known-call', spec: 'HOK-7', check: hooksOfNoCall },
  { name: 'mcp/same-call', spec: 'MCP-13', check: otherServerCalls },
  { name: 'task/same-call', spec: 'INT-33', check: tasksOfOtherCalls },
  { name: 'request/never-again', spec: 'CTL-42', check: idsUsedAgain },
  { name: 'setting/mode-answered', spec: 'PRM-26', check: otherModesAnswered },
  { name: 'lifecycle/over', spec: 'TRN-64', check: completedRunAgain },
  { name: 'interrupt/still-queued', spec: 'INT-14', check: startedStillQueued },
];

type Check = (message: Message, calls: ReadonlyMap<unknown, Message>) => Broken | undefined;

function withCalls(placed: readonly Placed[], check: Check): Broken | undefined {
  const calls = new Map<unknown, Message>();
  return firstOf(placed, ({ message }) => {
    for (const block of blocksOfType(message, 'tool_use')) calls.set(block['id'], block);
    return check(message, calls);
  });
}

function denialsOfOthers({ received }: Session): Broken | undefined {
  return withCalls(received, (message, calls) => {
    const denials = message['type'] === 'result' ? message['permission_denials'] : undefined;
    return firstOf(Array.isArray(denials) ? denials : [], (denial) => {
      const call = calls.get(member(denial, 'tool_use_id'));
      const isSame =
        call === undefined ||
        (member(denial, 'tool_name') === call['name'] &&
          sorted(member(denial, 'tool_input')) === sorted(call['input']));
      return isSame
        ? undefined
        : { message: 'tool_name or tool_input in permission_denials differs from the call.', got: denial };
    });
  });
}

function reportedDenialsOfOthers({ received }: Session): Broken | undefined {
  return withCalls(received, (message, calls) => {
    if (message['subtype'] !== 'permission_denied') return undefined;
    const call = calls.get(message['tool_use_id']);
    return call !== undefined && call['name'] === message['tool_name']
      ? undefined
      : {
          message: 'A system/permission_denied message does not name a call, or names a different tool than the call.',
          got: message,
        };
  });
}

function otherInputs({ received }: Session): Broken | undefined {
  return withCalls(received, (message, calls) => {
    const call = calls.get(member(message, 'request', 'tool_use_id'));
    const isBefore = member(message, 'request', 'input', 'hook_event_name') === 'PreToolUse';
    if (subtypeOf(message) !== 'hook_callback' || !isBefore || call === undefined) return undefined;
    return sorted(member(message, 'request', 'input', 'tool_input')) === sorted(call['input'])
      ? undefined
      : { message: 'tool_input of a PreToolUse hook differs from the input of the call.', got: message };
  });
}

function otherSessions({ received }: Session): Broken | undefined {
  let id: unknown;
  let cwd: unknown;
  const over = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'conversation_reset') {
      over.add(message['session_id']);
      id = undefined;
    }
    if (isInit(message)) [id, cwd] = [message['session_id'], message['cwd']];
    if (subtypeOf(message) !== 'hook_callback') return undefined;
    const input = member(message, 'request', 'input');
    const isOther = (wanted: unknown, name: string) => wanted !== undefined && member(input, name) !== wanted;
    return isOther(id, 'session_id') || isOther(cwd, 'cwd') || over.has(member(input, 'session_id'))
      ? { message: 'session_id or cwd in the input of a hook differs from the session.', got: message }
      : undefined;
  });
}

const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

function hooksOfNoCall({ received }: Session): Broken | undefined {
  return withCalls(received, (message, calls) => {
    if (subtypeOf(message) !== 'hook_callback') return undefined;
    const event = String(member(message, 'request', 'input', 'hook_event_name'));
    return !TOOL_EVENTS.has(event) || calls.has(member(message, 'request', 'tool_use_id'))
      ? undefined
      : { message: `The tool_use_id of a hook for ${event} is not the id of a call.`, got: message };
  });
}

function otherServerCalls(session: Session): Broken | undefined {
  // The host may have changed the input, or may have called a tool itself.
  const isChanged = session.sent.some(({ message }) => {
    const text = JSON.stringify(message);
    return text.includes('updatedInput') || text.includes('mcp_call');
  });
  if (isChanged) return undefined;
  const called = new ValuedMap<unknown, string>();
  return firstOf(session.received, ({ message }) => {
    for (const { id, name, input } of blocksOfType(message, 'tool_use'))
      called.set(id, typeof name === 'string' ? keyOfCall(name, sorted(input)) : '');
    const rpc = member(message, 'request', 'message');
    if (subtypeOf(message) !== 'mcp_message' || member(rpc, 'method') !== 'tools/call') return undefined;
    const tool = String(member(rpc, 'params', 'name'));
    const input = sorted(member(rpc, 'params', 'arguments') ?? {});
    const name = `${toolPrefixOf(member(message, 'request', 'server_name'))}${tool}`;
    return called.hasValue(keyOfCall(name, input))
      ? undefined
      : { message: `The model did not call ${name} with these arguments.`, got: message };
  });
}

function tasksOfOtherCalls({ received }: Session): Broken | undefined {
  const callOf = new Map<unknown, unknown>();
  return withCalls(received, (message, calls) => {
    const { subtype, task_id: task, tool_use_id: call } = message;
    if (call === undefined || call === null) return undefined;
    if (subtype === 'task_started') callOf.set(task, call);
    const isOther = subtype === 'task_notification' && callOf.has(task) && callOf.get(task) !== call;
    const isUnknown = subtype === 'task_started' && !calls.has(call);
    return isOther || isUnknown
      ? {
          message: `The tool_use_id of a ${String(subtype)} is not the id of the call that started the task.`,
          got: message,
        }
      : undefined;
  });
}

function idsUsedAgain({ received }: Session): Broken | undefined {
  const used = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] !== 'control_request') return undefined;
    const id = message['request_id'];
    if (used.has(id)) return { message: `The agent has already used the request_id ${shortJson(id)}.`, got: message };
    used.add(id);
    return undefined;
  });
}

function otherModesAnswered({ sent, received }: Session): Broken | undefined {
  const modes = new Map<unknown, unknown>();
  for (const { message } of sent)
    if (subtypeOf(message) === 'set_permission_mode')
      modes.set(
        message['request_id'],
        modes.has(message['request_id']) ? undefined : member(message, 'request', 'mode'),
      );
  return firstOf(received, ({ message }) => {
    const asked = modes.get(answeredId(message));
    const payload = payloadOf(message);
    const mode = member(payload, 'mode');
    if (typeof asked !== 'string' || payload === undefined) return undefined;
    return mode === (asked === 'manual' ? 'default' : asked)
      ? undefined
      : { message: `The request asked for the mode ${asked}, but the answer has ${shortJson(mode)}.`, got: message };
  });
}

function startedStillQueued(session: Session): Broken | undefined {
  const sent = new Set<unknown>();
  const started = new Set<unknown>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && message['type'] === 'user') sent.add(message['uuid']);
    if (isOurs) return undefined;
    if (message['state'] === 'started') started.add(message['command_uuid']);
    const listed = member(payloadOf(message), 'still_queued');
    const wrong = (Array.isArray(listed) ? listed : []).find((uuid) => started.has(uuid) || !sent.has(uuid));
    return wrong === undefined
      ? undefined
      : { message: `still_queued contains ${shortJson(wrong)}, which is not in the queue.`, got: message };
  });
}

function completedRunAgain({ received }: Session): Broken | undefined {
  const completed = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    const { type, state, command_uuid: prompt } = message;
    if (type !== 'command_lifecycle') return undefined;
    if (state === 'completed') completed.add(prompt);
    return completed.has(prompt) && (state === 'queued' || state === 'started')
      ? {
          message: `The prompt ${shortJson(prompt)} was reported as completed before it was reported as ${state}.`,
          got: message,
        }
      : undefined;
  });
}

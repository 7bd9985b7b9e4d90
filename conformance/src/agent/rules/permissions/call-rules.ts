import { shortJson } from '@proto/testkit/steps';
import { member, type Message, type Placed, type Session } from '../../session-log.ts';
import { mayStop } from '../stops.ts';
import { onceFor } from '../../../once-for.ts';
import { blocksOfType } from '../messages/message-rules.ts';
import { callResultsOf, resultsOf } from '../moments.ts';
import { firstAfter, lastBefore } from '../../../positions.ts';
import { type DenialFault, denialOf, OpenDenials, problemOf } from './open-denials.ts';
import { ValuedMap } from '../valued-map.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { sorted } from '../messages/stream-rules.ts';
import { answeredId, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const callRules: readonly Rule[] = [
  { name: 'tool/unique-call', spec: 'MSG-37', check: repeatedCalls },
  { name: 'reply/one-id', spec: 'MSG-16', check: repliesWithOtherIds },
  { name: 'tool/same-parent', spec: 'MSG-17', check: otherParents },
  { name: 'permission/same-call', spec: 'PRM-37', check: otherCalls },
  { name: 'permission/asked-once', spec: 'PRM-38', check: repeatedQuestions },
  { name: 'permission/none-left-open', spec: 'INT-11', check: questionsLeftOpen },
  { name: 'permission/denial-is-listed', spec: 'PRM-19', check: (session) => denials(session, 'listed') },
  { name: 'permission/denial-is-reported', spec: 'PRM-16', check: (session) => denials(session, 'reported') },
  { name: 'hook/denial-is-listed', spec: 'HOK-15', check: (session) => denials(session, 'by-hook') },
  { name: 'hook/denial-is-reported', spec: 'HOK-50', check: (session) => denials(session, 'reported-by-hook') },
  { name: 'hook/input', spec: 'HOK-39', check: poorInputs },
];

function repeatedCalls({ received }: Session): Broken | undefined {
  const seen = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] !== 'assistant') return undefined;
    for (const { id } of blocksOfType(message, 'tool_use')) {
      if (seen.has(id)) return { message: `Two calls have the id ${shortJson(id)}.`, got: message };
      seen.add(id);
    }
    return undefined;
  });
}

function otherParents({ received }: Session): Broken | undefined {
  const parents = new Map<unknown, unknown>();
  return firstOf(received, ({ message }) => {
    const { type, parent_tool_use_id: parent } = message;
    if (type === 'assistant') for (const { id } of blocksOfType(message, 'tool_use')) parents.set(id, parent);
    if (type !== 'user') return undefined;
    const other = blocksOfType(message, 'tool_result').find(
      ({ tool_use_id: id }) => parents.has(id) && parents.get(id) !== parent,
    );
    return (
      other && {
        message: 'A tool_result and its call have different values of parent_tool_use_id.',
        got: message,
      }
    );
  });
}

/** Finds reply messages between a call and its result that have a different `message.id`. The model cannot continue before the result. */
function repliesWithOtherIds({ received }: Session): Broken | undefined {
  const waiting = new ValuedMap<unknown, unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'result') waiting.clear();
    for (const block of blocksOfType(message, 'tool_result')) waiting.delete(block['tool_use_id']);
    const { type, parent_tool_use_id: parent, error, aborted } = message;
    if (type !== 'assistant' || parent !== null || error !== undefined || aborted === true) return undefined;
    const id = member(message, 'message', 'id');
    if (waiting.size > 0 && !waiting.hasValue(id))
      return {
        message: 'A reply consists of several messages, but one of them has a different message.id.',
        got: message,
      };
    for (const block of blocksOfType(message, 'tool_use')) waiting.set(block['id'], id);
    return undefined;
  });
}

function callsOf({ received }: Session): Map<unknown, Message> {
  return new Map(
    received.flatMap(({ message }) =>
      message['type'] === 'assistant'
        ? blocksOfType(message, 'tool_use').map((block) => [block['id'], block] as const)
        : [],
    ),
  );
}

function otherCalls(session: Session): Broken | undefined {
  const calls = callsOf(session);
  // A hook may have changed the input.
  const mayDiffer = session.sent.some(
    ({ message }) => member(payloadOf(message), 'hookSpecificOutput', 'updatedInput') !== undefined,
  );
  return firstOf(session.received, ({ message }) => {
    if (subtypeOf(message) !== 'can_use_tool') return undefined;
    const { tool_use_id: id, tool_name: name, input } = message['request'] as Message;
    const call = calls.get(id);
    // The input of a question that needs a special answer may have additional members for the user.
    if (call === undefined || member(message, 'request', 'requires_user_interaction') === true) return undefined;
    if (call['name'] !== name)
      return {
        message: `The tool_name of a can_use_tool request differs from the name in its call, ${shortJson(call['name'])}.`,
        got: message,
      };
    return mayDiffer || sorted(call['input']) === sorted(input)
      ? undefined
      : { message: 'The input of a can_use_tool request differs from the input of its call.', got: message };
  });
}

function repeatedQuestions(session: Session): Broken | undefined {
  const asked = new Set<unknown>();
  return firstOf(session.received, ({ message }) => {
    if (subtypeOf(message) !== 'can_use_tool') return undefined;
    const id = member(message, 'request', 'tool_use_id');
    if (asked.has(id))
      return { message: `The agent asked twice for permission for the call ${shortJson(id)}.`, got: message };
    asked.add(id);
    return undefined;
  });
}

function questionsLeftOpen(session: Session): Broken | undefined {
  const ended = session.events.findIndex(({ kind }) => kind === 'input-ended');
  const calls = callsOf(session);
  const open = new Map<unknown, Message>();
  return firstOf(timelineOf(session), ({ message, at, isOurs }) => {
    if (ended !== -1 && at > ended) return undefined;
    if (isOurs) open.delete(answeredId(message));
    if (isOurs) return undefined;
    if (subtypeOf(message) === 'can_use_tool' && calls.has(member(message, 'request', 'tool_use_id')))
      open.set(message['request_id'], message);
    if (message['type'] === 'control_cancel_request') open.delete(message['request_id']);
    const [left] = message['type'] === 'result' ? open.values() : [];
    return (
      left && { message: 'The turn has ended, but a permission request for one of its calls is still open.', got: left }
    );
  });
}

function denials(session: Session, kind: DenialFault): Broken | undefined {
  const calls = callsOf(session);
  const asked = new Map<unknown, Placed>();
  const answered = new Set<unknown>();
  const cancelled = new Set(
    session.received.flatMap(({ message }) =>
      message['type'] === 'control_cancel_request' ? [message['request_id']] : [],
    ),
  );
  let open = new OpenDenials();
  return firstOf(timelineOf(session), ({ message, isOurs, at }) => {
    if (!isOurs && message['type'] === 'control_request') asked.set(message['request_id'], { message, at });
    const id = answeredId(message);
    if (isOurs && message['type'] === 'control_response' && !answered.has(id)) {
      answered.add(id);
      const question = asked.get(id);
      const denial = cancelled.has(id) ? undefined : denialOf(question?.message, payloadOf(message));
      // An interrupt that crosses the denial ends the call for another reason, as does a denial of another call that ends the turn.
      const isStopped = () => {
        const end = callResultsOf(session).get(denial?.call)?.[0]?.at ?? Infinity;
        const begin = lastBefore(resultsOf(session), question?.at ?? at)?.at ?? -1;
        return othersStop(session, message, begin, end) || mayStop(session, at + 1, end);
      };
      if (denial !== undefined && calls.has(denial.call) && !isStopped()) open.add(denial);
    }
    if (isOurs) return undefined;
    const problem = problemOf(message, open, kind);
    if (message['type'] === 'result') open = new OpenDenials();
    return problem;
  });
}

/** Whether the host has ended the turn with its answer to another question, which may cross this one. */
function othersStop(session: Session, answer: Message, from: number, to: number): boolean {
  const first = firstAfter(stoppingAnswersOf(session), from);
  const other = first?.message === answer ? firstAfter(stoppingAnswersOf(session), first.at) : first;
  return other !== undefined && other.at <= to;
}

const stoppingAnswersOf = onceFor(({ sent }: Session) =>
  sent.filter(({ message }) => member(payloadOf(message), 'interrupt') === true),
);

const HOOK_INPUT_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PreToolUse: { tool_name: 'string', tool_input: 'any' },
  PostToolUse: { tool_name: 'string', tool_input: 'any', tool_response: 'any' },
  UserPromptSubmit: { prompt: 'string' },
  Stop: { stop_hook_active: 'boolean' },
};
const EVERY_INPUT = { session_id: 'string', transcript_path: 'string', cwd: 'string', hook_event_name: 'string' };

function poorInputs(session: Session): Broken | undefined {
  const calls = callsOf(session);
  return firstOf(session.received, ({ message }) => {
    if (subtypeOf(message) !== 'hook_callback') return undefined;
    const input = member(message, 'request', 'input');
    const event = String(member(input, 'hook_event_name'));
    for (const [name, type] of Object.entries({ ...EVERY_INPUT, ...HOOK_INPUT_TYPES[event] })) {
      const value = member(input, name);
      if (value === undefined || (type !== 'any' && typeof value !== type))
        return {
          message: `In the input of a hook for ${event}, ${name} is missing or has a wrong type.`,
          got: message,
        };
    }
    const call = calls.get(member(message, 'request', 'tool_use_id'));
    const tool = member(input, 'tool_name');
    return call === undefined || tool === undefined || tool === call['name']
      ? undefined
      : {
          message: `The tool_name in the input of a hook differs from the name in its call, ${shortJson(call['name'])}.`,
          got: message,
        };
  });
}

import { hasFlag, member, type Message, type Session } from '../../session-log.ts';
import { blocksOfType, isMain } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit } from '../timeline.ts';
import { ValuedMap } from '../valued-map.ts';

export const turnRules: readonly Rule[] = [
  { name: 'turn/init-first', spec: 'TRN-9', check: (session) => turns(session, 'init-first') },
  { name: 'turn/after-a-prompt', spec: 'TRN-7', check: initsBeforePrompts },
  { name: 'turn/one-result', spec: 'TRN-10', check: (session) => turns(session, 'one-result') },
  { name: 'turn/nothing-after-result', spec: 'TRN-11', check: (session) => turns(session, 'after-result') },
  {
    name: 'turn/has-result',
    spec: 'TRN-10',
    check: (session) => (session.isComplete ? turns(session, 'open') : undefined),
  },
  { name: 'tool/result-before-turn-ends', spec: 'TRN-12', check: missingToolResults },
  { name: 'tool/known-call', spec: 'MSG-23', check: resultsOfNothing },
  { name: 'tool/one-result', spec: 'MSG-24', check: doubleToolResults },
  { name: 'tool/known-parent', spec: 'INT-21', check: unknownParents },
  { name: 'tool/waits-for-subagent', spec: 'INT-21', check: repliesDuringSubagents },
  { name: 'tool/not-while-asked', spec: 'PRM-5', check: resultsWhileAsked },
  { name: 'echo/only-with-flag', spec: 'TRN-33', check: echoesWithoutFlag },
  { name: 'state/idle-at-the-end', spec: 'TRN-34', check: lastState },
];

type TurnFault = 'init-first' | 'one-result' | 'after-result' | 'open';

function turns({ received }: Session, kind: TurnFault): Broken | undefined {
  let state = 'before' as 'before' | 'open' | 'ended';
  const broken = firstOf(received, ({ message }) => {
    const { type } = message;
    const fault = isInit(message) ? undefined : faultOf(message, state);
    if (isInit(message)) state = 'open';
    if (type === 'result') state = 'ended';
    return fault?.kind === kind ? { message: fault.text, got: message } : undefined;
  });
  if (broken !== undefined || kind !== 'open' || state !== 'open') return broken;
  return { message: 'The agent has exited, but the last turn has no result.' };
}

function faultOf(
  message: Message,
  state: 'before' | 'open' | 'ended',
): { readonly kind: TurnFault; readonly text: string } | undefined {
  if (state === 'open') return undefined;
  const { type } = message;
  if (type === 'result') {
    // This is a result without a model turn: a refused start, or a message that only adds to the conversation.
    if (message['num_turns'] === 0) return undefined;
    return state === 'before'
      ? { kind: 'init-first', text: 'A result was sent before the system/init of its turn.' }
      : { kind: 'one-result', text: 'Two results were sent without a system/init between them.' };
  }
  const isConversation = type === 'assistant' || (type === 'user' && message['isReplay'] !== true);
  if (!isConversation || !isMain(message)) return undefined;
  return state === 'before'
    ? { kind: 'init-first', text: `A message of type ${type} was sent before the system/init of its turn.` }
    : { kind: 'after-result', text: `A message of type ${type} was sent after the result of its turn.` };
}

function initsBeforePrompts({ args, sent, received }: Session): Broken | undefined {
  // A run with a single prompt has the prompt in its arguments.
  if (!args.join(' ').includes('input-format')) return undefined;
  const first = sent.find(({ message }) => message['type'] === 'user')?.at ?? Infinity;
  return firstOf(received, ({ message, at }) =>
    at < first && isInit(message)
      ? { message: 'A system/init was sent before the first prompt.', got: message }
      : undefined,
  );
}

function missingToolResults({ received }: Session): Broken | undefined {
  const open = new Map<unknown, Message>();
  return firstOf(received, ({ message }) => {
    if (!isMain(message)) return undefined;
    for (const block of blocksOfType(message, 'tool_use')) open.set(block['id'], block);
    for (const block of blocksOfType(message, 'tool_result')) open.delete(block['tool_use_id']);
    if (message['type'] !== 'result') return undefined;
    const left = [...open.values()];
    open.clear();
    const isLimit = String(message['subtype']).startsWith('error_max_');
    const isDeferred =
      message['deferred_tool_use'] !== undefined || String(message['terminal_reason']).includes('defer');
    if (left.length === 0 || isLimit || isDeferred) return undefined;
    const names = left.map((block) => String(block['name'])).join(', ');
    return { message: `The turn has ended without a tool_result for its calls to ${names}.`, got: message };
  });
}

function resultsOfNothing({ received }: Session): Broken | undefined {
  const calls = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    for (const block of blocksOfType(message, 'tool_use')) calls.add(block['id']);
    if (message['type'] !== 'user' || message['isReplay'] === true) return undefined;
    const unknown = blocksOfType(message, 'tool_result').find((block) => !calls.has(block['tool_use_id']));
    return unknown === undefined
      ? undefined
      : {
          message: `A tool_result names the call ${String(unknown['tool_use_id'])}, but no earlier tool_use block has this id.`,
          got: message,
        };
  });
}

function doubleToolResults({ received }: Session): Broken | undefined {
  const seen = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] !== 'user' || message['isReplay'] === true) return undefined;
    for (const { tool_use_id: id } of blocksOfType(message, 'tool_result')) {
      if (seen.has(id)) return { message: `The call ${String(id)} has two tool_results.`, got: message };
      seen.add(id);
    }
    return undefined;
  });
}

function unknownParents({ received }: Session): Broken | undefined {
  const calls = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    for (const block of blocksOfType(message, 'tool_use')) calls.add(block['id']);
    if (message['type'] !== 'assistant' && message['type'] !== 'user') return undefined;
    return isMain(message) || calls.has(message['parent_tool_use_id'])
      ? undefined
      : {
          message: `parent_tool_use_id is ${String(message['parent_tool_use_id'])}, but no call has this id.`,
          got: message,
        };
  });
}

/**
 * Finds replies in the main conversation while it waits for a subagent. The model cannot continue before the call has a result, so such a reply
 * belongs to the subagent.
 */
function repliesDuringSubagents({ received }: Session): Broken | undefined {
  const replyOf = new Map<unknown, unknown>();
  const waiting = new ValuedMap<unknown, unknown>();
  return firstOf(received, ({ message }) => {
    const { type, tool_use_id: call } = message;
    if (type === 'result') waiting.clear();
    if (message['subtype'] === 'task_started' && message['task_type'] === 'local_agent' && replyOf.has(call))
      waiting.set(call, replyOf.get(call));
    for (const block of blocksOfType(message, 'tool_result')) waiting.delete(block['tool_use_id']);
    const reply = member(message, 'message', 'id');
    if (type !== 'assistant' || !isMain(message)) return undefined;
    for (const block of blocksOfType(message, 'tool_use')) replyOf.set(block['id'], reply);
    // A failure of the model, or the rest of an interrupted reply, may arrive at any time.
    if (message['error'] !== undefined || message['aborted'] === true) return undefined;
    if (waiting.size === 0 || waiting.hasValue(reply)) return undefined;
    return {
      message: 'A reply without parent_tool_use_id was sent while the main conversation waited for a subagent.',
      got: message,
    };
  });
}

function resultsWhileAsked(session: Session): Broken | undefined {
  const asked = new ValuedMap<unknown, unknown>();
  const ended = session.events.findIndex(({ kind }) => kind === 'input-ended');
  const all = [...session.received, ...session.sent].toSorted((a, b) => a.at - b.at);
  return firstOf(all, ({ message, at }) => {
    if (ended !== -1 && at > ended) return undefined;
    if (message['type'] === 'control_response') asked.delete(answeredId(message));
    if (message['type'] === 'control_cancel_request') asked.delete(message['request_id']);
    if (message['type'] === 'control_request' && member(message, 'request', 'subtype') === 'can_use_tool')
      asked.set(message['request_id'], member(message, 'request', 'tool_use_id'));
    const early = blocksOfType(message, 'tool_result').find(({ tool_use_id: id }) => asked.hasValue(id));
    return early === undefined
      ? undefined
      : { message: 'A call has a result although the permission request for it is still open.', got: message };
  });
}

function echoesWithoutFlag(session: Session): Broken | undefined {
  if (hasFlag(session, '--replay-user-messages')) return undefined;
  const prompts = new Set(
    session.sent.flatMap(({ message: { type, uuid } }) => (type === 'user' && uuid !== undefined ? [uuid] : [])),
  );
  const texts = new Set(session.sent.flatMap(({ message: { type, message } }) => textsOf(type, message)));
  return firstOf(session.received, ({ message }) => {
    const { type, uuid, isSynthetic } = message;
    if (type !== 'user' || !isMain(message)) return undefined;
    const isText = isSynthetic !== true && textsOf(type, message['message']).some((text) => texts.has(text));
    return isText || (uuid !== undefined && prompts.has(uuid))
      ? { message: 'A prompt was echoed without --replay-user-messages.', got: message }
      : undefined;
  });
}

function textsOf(type: unknown, message: unknown): readonly string[] {
  const content = member(message, 'content');
  return type === 'user' && typeof content === 'string' && !content.startsWith('/') ? [content] : [];
}

function lastState({ received, isComplete }: Session): Broken | undefined {
  if (!isComplete) return undefined;
  const last = received.findLast(({ message }) => message['subtype'] === 'session_state_changed')?.message;
  return last === undefined || last['state'] === 'idle'
    ? undefined
    : {
        message: `The last state that the agent reported is "${String(last['state'])}", but it must be "idle".`,
        got: last,
      };
}

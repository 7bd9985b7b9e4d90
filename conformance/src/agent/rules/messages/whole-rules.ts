import { shortJson } from '@proto/testkit/steps';

import { hasFlag, listOf, member, type Message, type Session } from '../../session-log.ts';
import { endOfInput } from '../calls.ts';
import { endBySignal } from '../moments.ts';
import { addedPromptsOf } from '../interrupts/queue.ts';
import { textOf } from '../turns/life-rules.ts';
import { blocksOfType, isMain } from './message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const wholeRules: readonly Rule[] = [
  { name: 'reply/one-block', spec: 'MSG-15', check: repliesOfManyBlocks },
  { name: 'tool/one-result-a-message', spec: 'MSG-24', check: messagesOfManyResults },
  { name: 'reply/main-conversation', spec: 'MSG-17', check: repliesOfOthers },
  { name: 'reply/error-marked', spec: 'MSG-18', check: unmarkedErrors },
  { name: 'result/failed-reply', spec: 'MSG-27', check: failuresAsSuccess },
  { name: 'partial/block-before-stop', spec: 'MSG-22', check: lateBlocks },
  { name: 'mirror/whole', spec: 'TRN-46', check: missingEntries },
  { name: 'state/question', spec: 'TRN-49', check: silentQuestions },
  { name: 'state/last-answer', spec: 'TRN-49', check: earlyRunning },
  { name: 'setting/no-manual', spec: 'PRM-31', check: manualModes },
  { name: 'hook/prompt', spec: 'HOK-39', check: otherPrompts },
  { name: 'hook/prompt-of-blocks', spec: 'TRN-68', check: incompletePrompts },
];

function each({ received }: Session, check: (message: Message) => string | undefined): Broken | undefined {
  return firstOf(received, ({ message }) => {
    const problem = check(message);
    return problem === undefined ? undefined : { message: problem, got: message };
  });
}

function repliesOfManyBlocks(session: Session): Broken | undefined {
  return each(session, (message) => {
    const isReply = message['type'] === 'assistant' && isMain(message);
    return isReply && listOf(member(message, 'message', 'content')).length > 1
      ? 'An assistant message contains several blocks.'
      : undefined;
  });
}

function messagesOfManyResults(session: Session): Broken | undefined {
  return each(session, (message) =>
    message['type'] === 'user' && message['isReplay'] !== true && blocksOfType(message, 'tool_result').length > 1
      ? 'A user message contains several tool results.'
      : undefined,
  );
}

/** Finds turns whose last reply has the id of a call that already had its result, so that the main conversation has no reply after it. */
function repliesOfOthers(session: Session): Broken | undefined {
  const done = new Set<unknown>();
  let other: Message | undefined;
  return each(session, (message) => {
    const { type, parent_tool_use_id: parent } = message;
    if (isInit(message) || (type === 'assistant' && isMain(message))) other = undefined;
    if (isMain(message)) for (const { tool_use_id: id } of blocksOfType(message, 'tool_result')) done.add(id);
    if (type === 'assistant' && !isMain(message) && done.has(parent)) other = message;
    const text = other && blocksOfType(other, 'text').at(-1)?.['text'];
    return type === 'result' && text !== undefined && message['result'] === text
      ? 'The text of the result comes from a reply with a parent_tool_use_id.'
      : undefined;
  });
}

function unmarkedErrors(session: Session): Broken | undefined {
  let last: Message | undefined;
  return each(session, (message) => {
    if (message['type'] === 'assistant' && isMain(message)) last = message;
    if (message['type'] !== 'result') return undefined;
    const isOwn = member(last, 'message', 'model') === '<synthetic>';
    const isUnmarked = isOwn && last?.['error'] === undefined && message['is_error'] === true;
    last = undefined;
    return isUnmarked && message['subtype'] === 'success'
      ? 'The turn ended with a failure, but the message that reports the failure has no member "error".'
      : undefined;
  });
}

function failuresAsSuccess(session: Session): Broken | undefined {
  let last: Message | undefined;
  return each(session, (message) => {
    if (message['type'] === 'assistant' && isMain(message)) last = message;
    if (message['type'] !== 'result') return undefined;
    const error = last?.['error'];
    last = undefined;
    return error !== undefined && error !== 'max_output_tokens' && message['is_error'] !== true
      ? 'The last call to the model API failed, but the result lacks is_error: true.'
      : undefined;
  });
}

function lateBlocks(session: Session): Broken | undefined {
  let reply: unknown;
  const blocks = new Map<unknown, number>();
  return each(session, (message) => {
    if (!isMain(message)) return undefined;
    const id = member(message, 'message', 'id');
    if (message['type'] === 'assistant') blocks.set(id, (blocks.get(id) ?? 0) + 1);
    const event = message['event'];
    if (member(event, 'type') === 'message_start') reply = member(event, 'message', 'id');
    if (message['type'] !== 'stream_event' || member(event, 'type') !== 'content_block_stop') return undefined;
    return (blocks.get(reply) ?? 0) > Number(member(event, 'index'))
      ? undefined
      : 'A content_block_stop was sent before the assistant message of its block.';
  });
}

/**
 * Finds replies, tool results and prompts of a turn that no entry repeats before the result. An agent that mirrors nothing does not have this
 * feature.
 */
function missingEntries(session: Session): Broken | undefined {
  const mirrors = session.received.some(({ message }) => message['type'] === 'transcript_mirror');
  if (!hasFlag(session, '--session-mirror') || !mirrors) return undefined;
  const sent = new Set<unknown>();
  let replies: unknown[] = [];
  return each(session, (message) => {
    const { type, uuid } = message;
    for (const entry of listOf(message['entries'])) sent.add(member(entry, 'uuid'));
    if (isInit(message)) replies = [];
    const isToolResult = type === 'user' && blocksOfType(message, 'tool_result').length > 0;
    if ((type === 'assistant' || isToolResult) && isMain(message)) replies.push(uuid);
    const prompts = listOf(message['user_message_uuids']);
    const hasReply = replies.length > 0 && message['local_command'] === undefined;
    // An entry may contain a prompt that was added to the running turn in another form.
    const isAdded = addedPromptsOf(session).get(message)?.has(prompts[0]) === true;
    if (type === 'result' && prompts.length === 1 && hasReply && !isAdded) replies.push(prompts[0]);
    const missing = type === 'result' ? replies.find((reply) => !sent.has(reply)) : undefined;
    return missing === undefined ? undefined : `No transcript_mirror contains the message ${shortJson(missing)}.`;
  });
}

/** Finds questions to the host that no state reports, or whose answer does not change the state. */
function silentQuestions(session: Session): Broken | undefined {
  if (!session.received.some(({ message }) => message['subtype'] === 'session_state_changed')) return undefined;
  const open = new Map<unknown, unknown>();
  // The call to which the last answer belongs. Its result shows that the agent has read all answers.
  let lastCall: unknown;
  let state: unknown;
  let isReported = true;
  const end = endBySignal(session);
  return firstOf(timelineOf(session), ({ message, isOurs, at }) => {
    if (at > end) return undefined;
    if (isOurs) {
      const id = answeredId(message);
      if (open.has(id)) lastCall = open.get(id);
      open.delete(id);
      return undefined;
    }
    // If the agent has decided before it has read an answer, this answer is not the last one for the agent.
    if (message['type'] === 'control_cancel_request') {
      lastCall = open.get(message['request_id']);
      open.delete(message['request_id']);
    }
    if (message['subtype'] === 'session_state_changed') state = message['state'];
    if (state === 'requires_action') isReported = true;
    if (subtypeOf(message) === 'can_use_tool') {
      open.set(message['request_id'], member(message, 'request', 'tool_use_id'));
      isReported = state === 'requires_action';
    }
    const results = blocksOfType(message, 'tool_result');
    const hasLast = results.some(({ tool_use_id: id }) => id === lastCall);
    if (hasLast && open.size === 0 && state === 'requires_action')
      return { message: 'A call has its result, but the last reported state is "requires_action".', got: message };
    const isLate = message['type'] === 'result' || results.length > 0;
    if (!isLate || isReported) return undefined;
    isReported = true;
    return {
      message: 'The host was asked for permission, but the state "requires_action" was not reported.',
      got: message,
    };
  });
}

/** Finds calls that have their result although no state was reported after the host's answer to the last open question. */
function earlyRunning(session: Session): Broken | undefined {
  if (!session.received.some(({ message }) => message['subtype'] === 'session_state_changed')) return undefined;
  const calls = new Map<unknown, unknown>();
  const open = new Set<unknown>();
  let unreported: unknown;
  const end = endOfInput(session);
  return firstOf(timelineOf(session), ({ message, isOurs, at }) => {
    // An agent whose input has ended may stop waiting for answers.
    if (at > end) return undefined;
    if (isOurs) {
      const id = answeredId(message);
      if (open.delete(id) && open.size === 0) unreported = calls.get(id);
      return undefined;
    }
    // The agent may have decided before it has read the answer.
    const isWithdrawn = message['type'] === 'control_cancel_request' && calls.has(message['request_id']);
    if (isWithdrawn) open.delete(message['request_id']);
    const isAsked = subtypeOf(message) === 'can_use_tool';
    if (isAsked) {
      calls.set(message['request_id'], member(message, 'request', 'tool_use_id'));
      open.add(message['request_id']);
    }
    if (isAsked || isWithdrawn || message['state'] === 'running') unreported = undefined;
    const last = unreported;
    if (last === undefined || !blocksOfType(message, 'tool_result').some(({ tool_use_id: id }) => id === last))
      return undefined;
    unreported = undefined;
    return { message: 'The last open question was answered, but the state "running" was not reported.', got: message };
  });
}

/** Finds hooks whose prompt is one text block of a prompt with several blocks, if no other prompt has this text. */
function incompletePrompts(session: Session): Broken | undefined {
  const blocks = new Set<string>();
  const whole = new Set<string>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    const texts = blocksOfType(message, 'text').map((block) => String(block['text']).trim());
    if (isOurs && message['type'] === 'user') whole.add(textOf(message).trim());
    if (isOurs && message['type'] === 'user' && texts.length > 1) for (const text of texts) blocks.add(text);
    const input = isOurs ? undefined : member(message, 'request', 'input');
    const prompt = String(member(input, 'prompt')).trim();
    return member(input, 'hook_event_name') === 'UserPromptSubmit' && blocks.has(prompt) && !whole.has(prompt)
      ? {
          message: 'The prompt in the input of a UserPromptSubmit hook lacks a text block of the prompt.',
          got: message,
        }
      : undefined;
  });
}

function manualModes(session: Session): Broken | undefined {
  return each(session, (message) =>
    message['permissionMode'] === 'manual' || member(payloadOf(message), 'mode') === 'manual'
      ? 'A message from the agent names the mode "manual".'
      : undefined,
  );
}

function otherPrompts(session: Session): Broken | undefined {
  const open = new Map<unknown, string>();
  let hasOwnPrompts = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && message['type'] === 'user') open.set(message['uuid'] ?? message, textOf(message));
    if (isOurs) return undefined;
    // When a task has ended, the agent may write a prompt for its model.
    hasOwnPrompts ||= message['subtype'] === 'task_notification';
    for (const uuid of message['type'] === 'result' ? listOf(message['user_message_uuids']) : []) open.delete(uuid);
    const input = member(message, 'request', 'input');
    if (member(input, 'hook_event_name') !== 'UserPromptSubmit') return undefined;
    const prompt = String(member(input, 'prompt'));
    return hasOwnPrompts || someOf(open.values(), (text) => prompt.includes(text.trim()) || text.includes(prompt))
      ? undefined
      : {
          message: 'The input of a UserPromptSubmit hook does not contain the text of any waiting prompt.',
          got: message,
        };
  });
}

/** Looks at no more than it must: most hooks are about the first of many prompts that wait. */
function someOf<T>(items: Iterable<T>, is: (item: T) => boolean): boolean {
  for (const item of items) if (is(item)) return true;
  return false;
}

import { shortJson } from '@proto/testkit/steps';

import { hasFlag, member, type Session } from '../../session-log.ts';
import { blocksOfType, isMain } from './message-rules.ts';
import { exchangesOf, spansOf } from '../exchanges.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { isInit } from '../timeline.ts';

export const replyRules: readonly Rule[] = [
  { name: 'reply/unique-id', spec: 'MSG-39', check: repeatedReplies },
  { name: 'reply/present-model', spec: 'MSG-40', check: earlierModels },
  { name: 'reply/no-stop-reason', spec: 'MSG-41', check: earlyStopReasons },
  { name: 'reply/null-parent', spec: 'MSG-17', check: parentsWithoutSubagents },
];

/**
 * Finds replies with the id of a reply that is already over, because its turn has ended, another reply has begun, one of its calls has a result, or
 * its events began earlier. An agent may run a call before the next call of the same reply has arrived.
 */
function repeatedReplies({ received }: Session): Broken | undefined {
  const over = new Set<unknown>();
  const answered = new Set<unknown>();
  const begun = new Set<unknown>();
  const present = new Set<unknown>();
  const replyOf = new Map<unknown, unknown>();
  const repeated = (id: unknown, got: unknown) => ({
    message: `Two replies have the message.id ${shortJson(id)}.`,
    got,
  });
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'result') for (const id of present) over.add(id);
    if (!isMain(message)) return undefined;
    if (message['type'] === 'stream_event' && member(message, 'event', 'type') === 'message_start') {
      const id = member(message, 'event', 'message', 'id');
      if (begun.has(id) || over.has(id)) return repeated(id, message);
      begun.add(id);
    }
    for (const { tool_use_id: call } of blocksOfType(message, 'tool_result'))
      if (replyOf.has(call)) answered.add(replyOf.get(call));
    if (message['type'] !== 'assistant') return undefined;
    const id = member(message, 'message', 'id');
    const calls = blocksOfType(message, 'tool_use');
    if (over.has(id) || (answered.has(id) && calls.length === 0)) return repeated(id, message);
    for (const other of present) if (other !== id) over.add(other);
    present.clear();
    present.add(id);
    for (const call of calls) replyOf.set(call['id'], id);
    return undefined;
  });
}

function earlierModels(session: Session): Broken | undefined {
  if (hasFlag(session, '--fallback-model')) return undefined;
  let model: unknown;
  let begun = 0;
  const earlier = new Set<unknown>();
  const changes = spansOf(exchangesOf(session).filter(({ subtype }) => subtype === 'set_model'));
  return firstOf(session.received, ({ message, at: place }) => {
    if (isInit(message)) {
      begun = place;
      earlier.add(model);
      model = message['model'];
      earlier.delete(model);
    }
    const own = member(message, 'message', 'model');
    // A change of the model that was requested during the turn may already be in effect.
    const mayChange = () => changes.across(place, begun).length > 0;
    return message['type'] === 'assistant' && isMain(message) && own !== undefined && earlier.has(own) && !mayChange()
      ? {
          message: `A reply has the model ${shortJson(own)} of an earlier turn, but the current model is ${shortJson(model)}.`,
          got: message,
        }
      : undefined;
  });
}

const WITH_PARENT = new Set(['assistant', 'user', 'stream_event']);

/** Finds messages whose `parent_tool_use_id` is missing or not null, in a session without a subagent. */
function parentsWithoutSubagents({ received }: Session): Broken | undefined {
  const hasSubagent = received.some(
    ({ message }) =>
      message['subtype'] === 'task_started' ||
      blocksOfType(message, 'tool_use').some(({ name }) => ['Task', 'Agent', 'Skill'].includes(String(name))),
  );
  if (hasSubagent) return undefined;
  return firstOf(received, ({ message }) =>
    WITH_PARENT.has(String(message['type'])) && message['isReplay'] !== true && message['parent_tool_use_id'] !== null
      ? { message: 'parent_tool_use_id is not null, although the session has no subagent.', got: message }
      : undefined,
  );
}

/** Only messages that the agent wrote itself may have a `stop_reason`. */
function earlyStopReasons({ received }: Session): Broken | undefined {
  return firstOf(received, ({ message }) => {
    const reason = member(message, 'message', 'stop_reason') ?? null;
    const isOwn = member(message, 'message', 'model') === '<synthetic>' || message['error'] !== undefined;
    return message['type'] !== 'assistant' || reason === null || isOwn
      ? undefined
      : { message: `An assistant message has the stop_reason ${shortJson(reason)}.`, got: message };
  });
}

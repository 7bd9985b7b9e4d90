import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { blocksOfType } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';

const FINAL_STATES = new Set(['completed', 'cancelled', 'discarded', 'refused']);

export const promptRules: readonly Rule[] = [
  { name: 'lifecycle/known-prompt', spec: 'TRN-29', check: statesOfNothing },
  { name: 'lifecycle/queued-first', spec: 'TRN-26', check: startedBeforeQueued },
  { name: 'lifecycle/always', spec: 'TRN-26', check: silentPrompts },
  { name: 'lifecycle/final-state', spec: 'TRN-27', check: unfinishedPrompts },
  { name: 'prompt/other-roles', spec: 'TRN-5', check: promptsOfOthers },
  { name: 'partial/whole-block', spec: 'MSG-21', check: partialTexts },
  { name: 'task/started-first', spec: 'INT-22', check: tasksBeforeStart },
];

function statesOf({ received }: Session) {
  return received.flatMap(({ message, at }) =>
    message['type'] === 'command_lifecycle'
      ? [{ message, at, id: message['command_uuid'], state: String(message['state']) }]
      : [],
  );
}

function statesOfNothing(session: Session): Broken | undefined {
  const prompts = new Set(session.sent.map(({ message }) => message['uuid']));
  return firstOf(statesOf(session), ({ id, message }) =>
    prompts.has(id)
      ? undefined
      : { message: `A command_lifecycle names ${String(id)}, but no prompt has this uuid.`, got: message },
  );
}

/** Finds turns for messages of the host that are not prompts of the user. */
function promptsOfOthers(session: Session): Broken | undefined {
  const others = new Set(
    session.sent.flatMap(({ message: { type, uuid, message } }) =>
      type === 'user' && typeof uuid === 'string' && member(message, 'role') !== 'user' ? [uuid] : [],
    ),
  );
  return firstOf(session.received, ({ message }) => {
    const named = [
      ...listOf(message['user_message_uuids']),
      ...(message['state'] === 'started' ? [message['command_uuid']] : []),
    ];
    const other = named.find((uuid) => others.has(String(uuid)));
    return other === undefined
      ? undefined
      : { message: `A turn was run for the message ${shortJson(other)}, whose role is not "user".`, got: message };
  });
}

function reportsStates({ received }: Session): boolean {
  return received.some(({ message }) => {
    const names = message['capabilities'] ?? member(message, 'response', 'response', 'capabilities');
    return Array.isArray(names) && names.includes('msg_lifecycle_v1');
  });
}

function startedBeforeQueued(session: Session): Broken | undefined {
  if (!reportsStates(session)) return undefined;
  const queued = new Set<unknown>();
  return firstOf(statesOf(session), ({ id, state, message }) => {
    if (state === 'queued') queued.add(id);
    return state === 'started' && !queued.has(id)
      ? { message: `The prompt ${String(id)} was reported as started, but not as queued before.`, got: message }
      : undefined;
  });
}

function silentPrompts(session: Session): Broken | undefined {
  if (!reportsStates(session)) return undefined;
  const prompts = new Set(
    session.sent.flatMap(({ message: { type, uuid, shouldQuery } }) =>
      type === 'user' && shouldQuery !== false ? [uuid] : [],
    ),
  );
  const reported = new Set<string>();
  return firstOf(session.received, ({ message }) => {
    const { type, command_uuid: id, state } = message;
    if (type === 'command_lifecycle') reported.add(`${String(id)} ${String(state)}`);
    if (type !== 'result') return undefined;
    const silent = listOf(message['user_message_uuids']).find(
      (uuid) =>
        prompts.has(uuid) && !(reported.has(`${String(uuid)} queued`) && reported.has(`${String(uuid)} started`)),
    );
    return silent === undefined
      ? undefined
      : {
          message: `The prompt ${JSON.stringify(silent)} was run, but was not reported as queued and started.`,
          got: message,
        };
  });
}

function unfinishedPrompts(session: Session): Broken | undefined {
  if (!session.isComplete || !reportsStates(session)) return undefined;
  const open = new Map<unknown, Message>();
  for (const { id, state, message } of statesOf(session)) {
    if (state === 'started') open.set(id, message);
    if (FINAL_STATES.has(state)) open.delete(id);
  }
  const [left] = open.values();
  return left === undefined
    ? undefined
    : { message: `The prompt ${String(left['command_uuid'])} has no final state.`, got: left };
}

/** Finds texts that arrived in pieces but not as a whole, or that differ from the whole text. */
function partialTexts({ received }: Session): Broken | undefined {
  const pieces = new Map<string, string>();
  // The blocks of each reply that arrived in pieces.
  const blocks = new Map<string, Set<string>>();
  const whole = new Set<string>();
  // Several subagents can reply at the same time.
  const replies = new Map<string, unknown>();
  return firstOf(received, ({ message }) => {
    const { type, event } = message;
    const by = String(message['parent_tool_use_id']);
    if (type === 'assistant') {
      const texts = blocksOfType(message, 'text').map((block) => String(block['text']));
      for (const text of texts) whole.add(text);
      const reply = `${by} ${String(member(message, 'message', 'id'))}`;
      const streamed = [...(blocks.get(reply) ?? [])].map((block) => pieces.get(block));
      // An empty block has no pieces.
      if (streamed.length > 0 && !texts.every((text) => text === '' || streamed.includes(text)))
        return { message: 'The text of a block differs from the text that was streamed in pieces.', got: message };
    }
    if (type === 'stream_event' && member(event, 'type') === 'message_start')
      replies.set(by, member(event, 'message', 'id'));
    if (type === 'stream_event' && member(event, 'delta', 'type') === 'text_delta') {
      const reply = `${by} ${String(replies.get(by))}`;
      const block = `${reply} ${String(member(event, 'index'))}`;
      blocks.set(reply, (blocks.get(reply) ?? new Set()).add(block));
      pieces.set(block, (pieces.get(block) ?? '') + String(member(event, 'delta', 'text')));
    }
    if (type !== 'result') return undefined;
    // An interrupted or failed turn may end in the middle of a block.
    const lost = message['is_error'] === true ? undefined : [...pieces.values()].find((text) => !whole.has(text));
    for (const seen of [pieces, blocks, whole]) seen.clear();
    return lost === undefined
      ? undefined
      : { message: 'A text was streamed in pieces, but no block of an assistant message has this text.', got: lost };
  });
}

function tasksBeforeStart(session: Session): Broken | undefined {
  // A task of an earlier process may continue.
  if (session.args.some((arg) => /^(--resume|-r|--continue|-c)($|=)/.test(arg))) return undefined;
  const started = new Set<unknown>();
  return firstOf(session.received, ({ message }) => {
    const { subtype, task_id: id } = message;
    if (message['type'] !== 'system' || id === undefined) return undefined;
    if (subtype === 'task_started') started.add(id);
    return ['task_progress', 'task_updated', 'task_notification'].includes(String(subtype)) && !started.has(id)
      ? { message: `A ${String(subtype)} was sent before the task_started of the task ${shortJson(id)}.`, got: message }
      : undefined;
  });
}

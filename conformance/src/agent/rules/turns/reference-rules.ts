import { isObject, shortJson } from '@proto/testkit/steps';

import { member, type Message, type Session } from '../../session-log.ts';
import { blocksOfType, isMain } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';

export const referenceRules: readonly Rule[] = [
  { name: 'result/known-prompts', spec: 'TRN-25', check: unknownPrompts },
  { name: 'result/prompt-once', spec: 'TRN-22', check: promptsOfTwoResults },
  { name: 'result/denied-calls', spec: 'PRM-19', check: wrongDenials },
  { name: 'tool/denied-is-error', spec: 'MSG-25', check: denialsWithoutError },
  { name: 'result/last-text', spec: 'MSG-33', check: otherTexts },
  { name: 'hook/registered', spec: 'HOK-5', check: foreignHooks },
  { name: 'cancel/own-request', spec: 'CTL-40', check: cancelsOfNothing },
  { name: 'mirror/order', spec: 'TRN-52', check: entriesOutOfOrder },
  { name: 'echo/once', spec: 'TRN-30', check: repeatedEchoes },
  { name: 'lifecycle/after-result', spec: 'TRN-53', check: completedTooEarly },
];

function promptsAnsweredBy(message: Message): readonly unknown[] {
  const { type, user_message_uuids: uuids } = message;
  return type === 'result' && Array.isArray(uuids) ? uuids : [];
}

function unknownPrompts(session: Session): Broken | undefined {
  const sent = new Set(session.sent.map(({ message }) => message['uuid']));
  return firstOf(session.received, ({ message }) => {
    const unknown = promptsAnsweredBy(message).find((uuid) => !sent.has(uuid));
    return unknown === undefined
      ? undefined
      : { message: `A result lists ${shortJson(unknown)}, but no prompt has this uuid.`, got: message };
  });
}

function promptsOfTwoResults({ received }: Session): Broken | undefined {
  const answered = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    for (const uuid of promptsAnsweredBy(message)) {
      if (answered.has(uuid))
        return { message: `Two results list the prompt ${shortJson(uuid)}: it was run twice.`, got: message };
      answered.add(uuid);
    }
    return undefined;
  });
}

function wrongDenials({ received }: Session): Broken | undefined {
  const calls = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    for (const block of blocksOfType(message, 'tool_use')) calls.add(block['id']);
    const denials = message['type'] === 'result' ? message['permission_denials'] : undefined;
    if (!Array.isArray(denials)) return undefined;
    const ids = denials.map((denial) => member(denial, 'tool_use_id'));
    const listed = new Set<unknown>();
    const wrong = ids.find((id) => {
      const isTwice = listed.has(id);
      listed.add(id);
      return isTwice || !calls.has(id);
    });
    return wrong === undefined
      ? undefined
      : { message: `permission_denials contains ${shortJson(wrong)} twice, or no call has this id.`, got: denials };
  });
}

function denialsWithoutError({ received }: Session): Broken | undefined {
  const unmarked = new Map<unknown, Message>();
  return firstOf(received, ({ message }) => {
    for (const block of blocksOfType(message, 'tool_result'))
      if (block['is_error'] !== true) unmarked.set(block['tool_use_id'], message);
    const denials = message['type'] === 'result' ? message['permission_denials'] : undefined;
    const wrong = (Array.isArray(denials) ? denials : []).find((denial) => unmarked.has(member(denial, 'tool_use_id')));
    return wrong === undefined
      ? undefined
      : { message: 'The tool_result of a call that was not made lacks is_error: true.', got: wrong };
  });
}

function otherTexts({ received }: Session): Broken | undefined {
  let last: Message | undefined;
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'assistant' && isMain(message)) last = message;
    if (message['subtype'] === 'init') last = undefined;
    if (message['type'] !== 'result') return undefined;
    const text = last === undefined ? undefined : blocksOfType(last, 'text').at(-1)?.['text'];
    last = undefined;
    const { subtype, is_error: isError, terminal_reason: reason = 'completed', result } = message;
    // If a limit, a hook or an agent command ends a turn, the result has a different text.
    const isOrdinary = subtype === 'success' && isError === false && reason === 'completed';
    if (!isOrdinary || message['local_command'] !== undefined || text === undefined || result === text)
      return undefined;
    if (message['structured_output'] !== undefined) return undefined;
    return {
      message: `The last reply of the turn is ${shortJson(text)}, but result contains a different text.`,
      got: message,
    };
  });
}

function foreignHooks(session: Session): Broken | undefined {
  const events = [...session.sent, ...session.received].toSorted((a, b) => a.at - b.at);
  const registered = new Map<string, Set<unknown>>();
  return firstOf(events, ({ message }) => {
    const hooks = member(message, 'request', 'hooks');
    // Calls may still arrive with an id that a later `initialize` has replaced.
    for (const [event, matchers] of isObject(hooks) ? Object.entries(hooks) : []) {
      const ids = registered.get(event) ?? new Set();
      for (const matcher of Array.isArray(matchers) ? matchers : [])
        for (const id of (member(matcher, 'hookCallbackIds') as unknown[] | undefined) ?? []) ids.add(id);
      registered.set(event, ids);
    }
    if (message['type'] !== 'control_request' || member(message, 'request', 'subtype') !== 'hook_callback')
      return undefined;
    const event = String(member(message, 'request', 'input', 'hook_event_name'));
    const id = member(message, 'request', 'callback_id');
    return registered.size === 0 || registered.get(event)?.has(id) === true
      ? undefined
      : { message: `The host did not register a hook ${shortJson(id)} for ${event}.`, got: message };
  });
}

function cancelsOfNothing({ received }: Session): Broken | undefined {
  const asked = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'control_request') asked.add(message['request_id']);
    return message['type'] !== 'control_cancel_request' || asked.has(message['request_id'])
      ? undefined
      : { message: 'A control_cancel_request names an id that the agent did not use for any request.', got: message };
  });
}

function entriesOutOfOrder({ received }: Session): Broken | undefined {
  const place = new Map<unknown, number>();
  for (const { message, at } of received)
    if (message['type'] === 'assistant' || (message['type'] === 'user' && message['isReplay'] !== true))
      place.set(message['uuid'], place.get(message['uuid']) ?? at);
  let highest = -1;
  const entries = received.flatMap(({ message: { type, entries: list } }) =>
    type === 'transcript_mirror' && Array.isArray(list) ? (list as readonly unknown[]) : [],
  );
  return firstOf(entries, (entry) => {
    const at = place.get(member(entry, 'uuid'));
    if (at === undefined) return undefined;
    if (at < highest)
      return { message: 'An entry of transcript_mirror was sent after an entry for a later message.', got: entry };
    highest = at;
    return undefined;
  });
}

function repeatedEchoes({ sent, received }: Session): Broken | undefined {
  const left = new Map<unknown, number>();
  for (const { message } of sent) left.set(message['uuid'], (left.get(message['uuid']) ?? 0) + 1);
  return firstOf(received, ({ message }) => {
    const { type, uuid, isReplay } = message;
    if (type !== 'user' || isReplay !== true || !left.has(uuid)) return undefined;
    left.set(uuid, (left.get(uuid) ?? 0) - 1);
    return (left.get(uuid) ?? 0) >= 0
      ? undefined
      : { message: `The prompt ${shortJson(uuid)} was echoed more times than it was sent.`, got: message };
  });
}

function completedTooEarly({ received, sent }: Session): Broken | undefined {
  const completed = new Set<unknown>();
  // The first prompt that a result names may have joined the turn of a prompt without an id.
  if (sent.some(({ message: { type, uuid } }) => type === 'user' && uuid === undefined)) return undefined;
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'command_lifecycle' && message['state'] === 'completed')
      completed.add(message['command_uuid']);
    const [first] = promptsAnsweredBy(message);
    return first === undefined || !completed.has(first)
      ? undefined
      : {
          message: `The prompt ${shortJson(first)} was reported as completed before the result of its turn.`,
          got: message,
        };
  });
}

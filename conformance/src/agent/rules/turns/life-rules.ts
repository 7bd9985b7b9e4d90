import { isObject, shortJson } from '@proto/testkit/steps';

import { onceFor } from '../../../once-for.ts';
import { hasFlag, isResumed, listOf, member, type Message, type Session } from '../../session-log.ts';
import { endBySignal } from '../moments.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { blockedIn } from './restart-rules.ts';
import { isInit, isPrompt, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const lifeRules: readonly Rule[] = [
  { name: 'turn/one-init', spec: 'TRN-54', check: secondInits },
  { name: 'prompt/answered', spec: 'TRN-16', check: lostPrompts },
  { name: 'result/started-prompts', spec: 'TRN-25', check: unnamedPrompts },
  { name: 'lifecycle/once', spec: 'TRN-55', check: repeatedStates },
  { name: 'echo/always', spec: 'TRN-30', check: missingEchoes },
  { name: 'echo/of-equal-prompts', spec: 'TRN-24', check: missingEqualEchoes },
  { name: 'echo/repeated', spec: 'TRN-32', check: missingSecondEchoes },
  { name: 'echo/content', spec: 'TRN-56', check: otherEchoes },
  { name: 'state/idle-within-a-turn', spec: 'TRN-34', check: earlyIdle },
  { name: 'state/running-again', spec: 'TRN-49', check: statesOfAnsweredQuestions },
  { name: 'task/one-start', spec: 'INT-22', check: repeatedStarts },
  { name: 'task/one-end', spec: 'INT-23', check: repeatedEnds },
  { name: 'task/list-of-the-running', spec: 'INT-24', check: endedTasksListed },
];

function secondInits({ received }: Session): Broken | undefined {
  let isOpen = false;
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'result') isOpen = false;
    if (!isInit(message)) return undefined;
    if (isOpen) return { message: 'A second system/init was sent before the result of the turn.', got: message };
    isOpen = true;
    return undefined;
  });
}

function lostPrompts(session: Session): Broken | undefined {
  if (!session.isComplete || isResumed(session)) return undefined;
  const done = donePrompts(session);
  const lost = session.sent.find(({ message }) => isPrompt(message) && !done.has(message['uuid']))?.message;
  return lost && { message: `The prompt ${shortJson(lost['uuid'])} was neither answered nor withdrawn.`, got: lost };
}

/** The prompts that were begun, withdrawn or answered. */
export const donePrompts: (session: Session) => ReadonlySet<unknown> = onceFor((session) => {
  const done = new Set<unknown>();
  for (const { message } of session.received) {
    if (message['type'] === 'result') for (const uuid of listOf(message['user_message_uuids'])) done.add(uuid);
    if (message['type'] === 'command_lifecycle' && message['state'] !== 'queued') done.add(message['command_uuid']);
    for (const uuid of listOf(member(payloadOf(message), 'cancelled'))) done.add(uuid);
  }
  for (const { message } of session.sent)
    if (subtypeOf(message) === 'cancel_async_message') done.add(member(message, 'request', 'message_uuid'));
  return done;
});

// A list of the prompts of a turn may end after this number.
const MAX_NAMED = 64;

function unnamedPrompts({ received }: Session): Broken | undefined {
  const started = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'command_lifecycle')
      if (message['state'] === 'started') started.add(message['command_uuid']);
      else started.delete(message['command_uuid']);
    if (message['type'] !== 'result') return undefined;
    const named = listOf(message['user_message_uuids']);
    const known = new Set(named);
    const missing = [...started].find((uuid) => !known.has(uuid));
    started.clear();
    return missing === undefined || named.length >= MAX_NAMED
      ? undefined
      : { message: `The prompt ${shortJson(missing)} has started, but the result does not name it.`, got: message };
  });
}

function repeatedStates(session: Session): Broken | undefined {
  const seen = new Map<string, number>();
  const left = new Map<unknown, number>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && message['type'] === 'user') left.set(message['uuid'], (left.get(message['uuid']) ?? 0) + 1);
    if (isOurs || message['type'] !== 'command_lifecycle') return undefined;
    const { command_uuid: id, state } = message;
    const key = `${String(id)} ${String(state)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return left.has(id) && (seen.get(key) ?? 0) > (left.get(id) ?? 0)
      ? {
          message: `The prompt ${shortJson(id)} was reported as ${String(state)} more times than it was sent.`,
          got: message,
        }
      : undefined;
  });
}

function missingEchoes(session: Session): Broken | undefined {
  if (!session.isComplete || !hasFlag(session, '--replay-user-messages')) return undefined;
  const echoed = new Set(
    session.received.flatMap(({ message }) => (message['isReplay'] === true ? [message['uuid']] : [])),
  );
  const cancelled = new Set(
    session.received.flatMap(({ message }) => [
      ...(message['state'] === 'cancelled' ? [message['command_uuid']] : []),
      ...listOf(member(payloadOf(message), 'cancelled')),
    ]),
  );
  const blocked = blockedIn(session);
  const isOwed = (uuid: unknown) => !echoed.has(uuid) && !cancelled.has(uuid) && !blocked.has(uuid);
  const lost = session.sent.find(({ message }) => isPrompt(message) && isOwed(message['uuid']))?.message;
  return lost && { message: `The prompt ${shortJson(lost['uuid'])} was not echoed.`, got: lost };
}

/** Finds prompts without a uuid that were echoed fewer times than they were sent. */
function missingEqualEchoes(session: Session): Broken | undefined {
  // An interrupt or a prompt with the priority `now` can remove waiting prompts.
  const mayRemove = session.sent.some(
    ({ message }) => member(message, 'request', 'cancel_queued') === true || message['priority'] === 'now',
  );
  if (!session.isComplete || !hasFlag(session, '--replay-user-messages') || mayRemove) return undefined;
  const sent = session.sent.filter(
    ({ message }) => isPrompt({ ...message, uuid: '' }) && typeof message['uuid'] !== 'string',
  );
  const ids = new Set(session.sent.map(({ message }) => message['uuid']));
  const echoes = session.received.filter(({ message }) => message['isReplay'] === true && !ids.has(message['uuid']));
  return echoes.length >= sent.length
    ? undefined
    : {
        message: `${sent.length} prompts without a uuid were sent, but only ${echoes.length} were echoed.`,
        got: sent.at(-1)?.message,
      };
}

function missingSecondEchoes(session: Session): Broken | undefined {
  if (!session.isComplete || !hasFlag(session, '--replay-user-messages')) return undefined;
  const count = (messages: readonly { readonly message: Message }[], isOne: (message: Message) => boolean) => {
    const counts = new Map<unknown, number>();
    for (const { message } of messages)
      if (isOne(message)) counts.set(message['uuid'], (counts.get(message['uuid']) ?? 0) + 1);
    return counts;
  };
  const sent = count(session.sent, isPrompt);
  const echoed = count(session.received, ({ isReplay }) => isReplay === true);
  // A prompt that was removed from the queue is echoed only when it is sent again.
  const states = new Set(
    session.received.map(({ message }) => `${String(message['command_uuid'])} ${String(message['state'])}`),
  );
  const blocked = blockedIn(session);
  const isCancelled = (uuid: unknown) => states.has(`${String(uuid)} cancelled`);
  const isRemoved = (uuid: unknown) => isCancelled(uuid) && !states.has(`${String(uuid)} started`);
  const lost = [...sent].find(([uuid, times]) => {
    // A prompt whose turn was interrupted at its beginning, or that a hook has blocked, may have no echo.
    const wanted = isCancelled(uuid) || blocked.has(uuid) ? times - 1 : times;
    return times > 1 && echoed.has(uuid) && (echoed.get(uuid) ?? 0) < wanted && !isRemoved(uuid);
  })?.[0];
  return lost === undefined
    ? undefined
    : { message: `The prompt ${shortJson(lost)} was sent again, but was echoed only once.` };
}

function otherEchoes(session: Session): Broken | undefined {
  const { sent, received } = session;
  // An agent command, such as `/clear`, is echoed in a different form.
  const texts = new Map(
    sent.flatMap(({ message }) =>
      isPrompt(message) && !textOf(message).startsWith('/') ? [[message['uuid'], textOf(message)]] : [],
    ),
  );
  return firstOf(received, ({ message }) => {
    const { type, uuid, isReplay } = message;
    const text = texts.get(uuid);
    if (type !== 'user' || isReplay !== true || text === undefined) return undefined;
    const echo = textOf(message);
    if (echo === text || (echo.includes(text) && isOfSent(echo, session))) return undefined;
    return { message: 'The text in the echo of a prompt differs from the prompt.', got: message };
  });
}

/** Whether a text begins with a prompt. The echo of the last prompt of a turn may contain the texts of all prompts of the turn. */
function isOfSent(text: string, session: Session): boolean {
  const { texts, lengths } = textsSentBy(session);
  return lengths.some((length) => texts.has(text.slice(0, length)));
}

const textsSentBy = onceFor(({ sent }: Session) => {
  const texts = new Set(sent.flatMap(({ message }) => (message['type'] === 'user' ? [textOf(message)] : [])));
  return { texts, lengths: [...new Set([...texts].map(({ length }) => length))] };
});

/** The text of a prompt or its echo: the texts of its blocks, concatenated. */
export function textOf({ message }: Message): string {
  const content = member(message, 'content');
  if (!Array.isArray(content)) return String(content);
  return content.map((block) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : '')).join('\n');
}

function earlyIdle({ received }: Session): Broken | undefined {
  let isOpen = false;
  return firstOf(received, ({ message }) => {
    if (isInit(message)) isOpen = true;
    if (message['type'] === 'result') isOpen = false;
    return isOpen && message['subtype'] === 'session_state_changed' && message['state'] === 'idle'
      ? { message: 'The state "idle" was reported before the result of the turn.', got: message }
      : undefined;
  });
}

/** Finds turns that end in the state `requires_action`. */
function statesOfAnsweredQuestions(session: Session): Broken | undefined {
  let state: unknown;
  const end = endBySignal(session);
  return firstOf(session.received, ({ message, at }) => {
    if (at > end) return undefined;
    if (message['subtype'] === 'session_state_changed') state = message['state'];
    return message['type'] === 'result' && state === 'requires_action'
      ? { message: 'The turn has ended, but the last reported state is "requires_action".', got: message }
      : undefined;
  });
}

function repeatedStarts({ received }: Session): Broken | undefined {
  const running = new Map<unknown, unknown>();
  return firstOf(received, ({ message }) => {
    const { subtype, task_id: id, run_id: run } = message;
    if (subtype === 'task_notification' || subtype === 'task_updated') running.delete(id);
    if (message['type'] !== 'system' || subtype !== 'task_started') return undefined;
    if (running.has(id) && running.get(id) === run)
      return { message: `The task ${shortJson(id)} has started twice.`, got: message };
    running.set(id, run);
    return undefined;
  });
}

function repeatedEnds({ received }: Session): Broken | undefined {
  const ended = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    const { subtype, task_id: id } = message;
    if (message['type'] !== 'system' || id === undefined) return undefined;
    if (subtype === 'task_started') ended.delete(id);
    if (subtype !== 'task_notification') return undefined;
    if (ended.has(id)) return { message: `The task ${shortJson(id)} has ended twice.`, got: message };
    ended.add(id);
    return undefined;
  });
}

function endedTasksListed({ received, isComplete }: Session): Broken | undefined {
  if (!isComplete) return undefined;
  const ended = new Set<unknown>();
  let last: Message | undefined;
  for (const { message } of received) {
    const { subtype, task_id: id } = message;
    if (subtype === 'task_started') ended.delete(id);
    if (subtype === 'task_notification') ended.add(id);
    if (subtype === 'background_tasks_changed') last = message;
  }
  const old = listOf(last?.['tasks']).find((task) => ended.has(member(task, 'task_id')));
  return old === undefined
    ? undefined
    : { message: `The task ${shortJson(member(old, 'task_id'))} has ended, but is still listed.`, got: last };
}

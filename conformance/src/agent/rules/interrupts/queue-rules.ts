import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { exchangesOf } from '../exchanges.ts';
import { donePrompts } from '../turns/life-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const queueRules: readonly Rule[] = [
  { name: 'queue/order', spec: 'TRN-17', check: (session) => overtaken(session, 'same') },
  { name: 'queue/later', spec: 'TRN-47', check: (session) => overtaken(session, 'later') },
  { name: 'queue/one-turn', spec: 'TRN-19', check: turnsWithinTurns },
  { name: 'queue/no-query', spec: 'TRN-21', check: repliesToAdditions },
  { name: 'interrupt/all-still-queued', spec: 'INT-14', check: unlistedPrompts },
  { name: 'interrupt/queued-run', spec: 'INT-15', check: queuedLost },
  { name: 'interrupt/removed-listed', spec: 'INT-17', check: unlistedRemovals },
  { name: 'interrupt/removed-stay-removed', spec: 'INT-16', check: (session) => runRemoved(session, 'interrupt') },
  { name: 'withdraw/stays-withdrawn', spec: 'INT-18', check: (session) => runRemoved(session, 'cancel_async_message') },
  { name: 'withdraw/waiting', spec: 'INT-18', check: keptPrompts },
  { name: 'withdraw/only-waiting', spec: 'INT-19', check: falselyWithdrawn },
  { name: 'withdraw/reported-first', spec: 'INT-20', check: lateCancels },
  { name: 'lifecycle/removed', spec: 'TRN-28', check: unreportedRemovals },
];

/** The host's prompts that have an id that no other message has. */
function promptsOf({ sent }: Session): Map<unknown, { readonly message: Message; readonly at: number }> {
  const prompts = new Map<unknown, { message: Message; at: number }>();
  const twice = new Set<unknown>();
  for (const placed of sent) {
    const { type, uuid } = placed.message;
    if (type !== 'user' || typeof uuid !== 'string') continue;
    if (prompts.has(uuid)) twice.add(uuid);
    prompts.set(uuid, placed);
  }
  for (const uuid of twice) prompts.delete(uuid);
  return prompts;
}

const reportsStates = ({ received }: Session) =>
  received.some(({ message }) => message['type'] === 'command_lifecycle');

function overtaken(session: Session, kind: 'same' | 'later'): Broken | undefined {
  const prompts = promptsOf(session);
  const waiting = new Set<unknown>();
  return firstOf(session.received, ({ message }) => {
    const { type, command_uuid: id, state } = message;
    if (type !== 'command_lifecycle' || !prompts.has(id)) return undefined;
    if (state === 'queued') waiting.add(id);
    else waiting.delete(id);
    if (state !== 'started') return undefined;
    const started = prompts.get(id);
    const passed = [...waiting].find((other) => {
      const waits = prompts.get(other);
      const [a, b] = [started?.message['priority'], waits?.message['priority']];
      if (kind === 'later') return a === 'later' && b !== 'later';
      return a === b && (waits?.at ?? Infinity) < (started?.at ?? 0);
    });
    return passed === undefined
      ? undefined
      : {
          message: `The prompt ${shortJson(id)} has started, although ${shortJson(passed)} must run before it.`,
          got: message,
        };
  });
}

function turnsWithinTurns({ received }: Session): Broken | undefined {
  let runs = false;
  let started: unknown;
  return firstOf(received, ({ message }) => {
    const { type, state } = message;
    if (type === 'result') [runs, started] = [false, undefined];
    if (runs && type === 'command_lifecycle' && state === 'started') started = message['command_uuid'];
    if (!isInit(message)) return undefined;
    if (runs && started !== undefined)
      return {
        message: `The prompt ${shortJson(started)} began a turn before the result of the previous turn.`,
        got: message,
      };
    runs = true;
    return undefined;
  });
}

function repliesToAdditions(session: Session): Broken | undefined {
  const prompts = promptsOf(session);
  const firstPrompt = session.sent.find(
    ({ message }) => message['type'] === 'user' && message['shouldQuery'] !== false,
  );
  return firstOf(session.received, ({ message, at }) => {
    if (
      message['type'] === 'assistant' &&
      at < (firstPrompt?.at ?? Infinity) &&
      session.args.includes('--input-format')
    )
      return { message: 'A reply arrived, although no prompt needs a reply from the model.', got: message };
    const uuids = message['type'] === 'result' ? listOf(message['user_message_uuids']) : [];
    const isAddition = (uuid: unknown) => prompts.get(uuid)?.message['shouldQuery'] === false;
    return uuids.length > 0 && uuids.every(isAddition) && Number(message['num_turns']) > 0
      ? { message: 'The agent called the model for a message with shouldQuery: false.', got: message }
      : undefined;
  });
}

/** The prompts that waited when a request was sent and still wait when it is answered, as far as the agent has reported. */
function waitingAt(session: Session, asked: number, at: number): readonly unknown[] {
  const prompts = promptsOf(session);
  const waiting = new Set<unknown>();
  for (const placed of session.received) {
    if (placed.at > at) break;
    const { type, command_uuid: id, state } = placed.message;
    if (type !== 'command_lifecycle' || !prompts.has(id)) continue;
    if (state === 'queued') waiting.add(id);
    else waiting.delete(id);
  }
  return [...waiting].filter((id) => (prompts.get(id)?.at ?? Infinity) < asked);
}

/** Whether the agent has declared that its answers to interrupts list the queue. */
function hasReceipts({ received }: Session): boolean {
  return received.some(({ message }) => listOf(message['capabilities']).includes('interrupt_receipt_v1'));
}

function unlistedPrompts(session: Session): Broken | undefined {
  // Another request may have removed a prompt, and be answered later.
  const removed = new Set(
    [...removedBy(session, 'interrupt'), ...removedBy(session, 'cancel_async_message')].flatMap(({ ids }) => ids),
  );
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, asked, at }) => {
    const listed = member(payload, 'still_queued');
    const isOld = listed === undefined && !hasReceipts(session);
    if (subtype !== 'interrupt' || request['cancel_queued'] === true || payload === undefined || isOld)
      return undefined;
    const missing = waitingAt(session, asked, at).find((id) => !listOf(listed).includes(id) && !removed.has(id));
    return missing === undefined
      ? undefined
      : {
          message: `The list "still_queued" does not contain ${shortJson(missing)}, which is in the queue.`,
          got: answer,
        };
  });
}

function queuedLost(session: Session): Broken | undefined {
  if (!session.isComplete) return undefined;
  const done = donePrompts(session);
  const prompts = promptsOf(session);
  return firstOf(exchangesOf(session), ({ subtype, payload, answer }) => {
    const listed = subtype === 'interrupt' ? listOf(member(payload, 'still_queued')) : [];
    const lost = listed.find((id) => prompts.has(id) && !done.has(id));
    return lost === undefined
      ? undefined
      : { message: `The prompt ${shortJson(lost)} was in the queue at an interrupt, but was never run.`, got: answer };
  });
}

function unlistedRemovals(session: Session): Broken | undefined {
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, asked, at }) => {
    const listed = member(payload, 'cancelled');
    if (subtype !== 'interrupt' || request['cancel_queued'] !== true || !Array.isArray(listed)) return undefined;
    // The agent may report that a prompt is `cancelled` before it answers. A prompt that is withdrawn at the same time is not listed.
    const withdrawn = new Set(session.sent.map(({ message }) => member(message, 'request', 'message_uuid')));
    for (const { ids, at: place } of removedBy(session, 'interrupt'))
      if (place !== at) for (const id of ids) withdrawn.add(id);
    const missing = waitingAt(session, asked, asked).find(
      (id) => !listed.includes(id) && !hasStarted(session, id) && !withdrawn.has(id),
    );
    return missing === undefined
      ? undefined
      : {
          message: `The list "cancelled" does not contain ${shortJson(missing)}, which was in the queue.`,
          got: answer,
        };
  });
}

function hasStarted({ received }: Session, id: unknown): boolean {
  return received.some(({ message }) => message['command_uuid'] === id && message['state'] === 'started');
}

function removedBy(
  session: Session,
  wanted: string,
): readonly { readonly ids: readonly unknown[]; readonly at: number }[] {
  return exchangesOf(session).flatMap(({ subtype, request, payload, at }) => {
    if (subtype !== wanted) return [];
    const isCancelled = member(payload, 'cancelled') === true;
    const own = isCancelled ? [request['message_uuid']] : [];
    return [{ ids: subtype === 'interrupt' ? listOf(member(payload, 'cancelled')) : own, at }];
  });
}

function runRemoved(session: Session, subtype: string): Broken | undefined {
  const prompts = promptsOf(session);
  return firstOf(removedBy(session, subtype), ({ ids, at }) =>
    firstOf(session.received, ({ message, at: place }) => {
      if (place < at) return undefined;
      const named = message['state'] === 'started' ? [message['command_uuid']] : [];
      const answered = message['type'] === 'result' ? listOf(message['user_message_uuids']) : [];
      const run = [...named, ...answered].find((id) => ids.includes(id) && prompts.has(id));
      return run === undefined
        ? undefined
        : { message: `The prompt ${shortJson(run)} was removed from the queue, but was run.`, got: message };
    }),
  );
}

function keptPrompts(session: Session): Broken | undefined {
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, asked, at }) => {
    if (subtype !== 'cancel_async_message' || member(payload, 'cancelled') !== false) return undefined;
    return waitingAt(session, asked, at).includes(request['message_uuid'])
      ? { message: 'A queued prompt was not removed.', got: answer }
      : undefined;
  });
}

function falselyWithdrawn(session: Session): Broken | undefined {
  const prompts = promptsOf(session);
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, asked }) => {
    const id = request['message_uuid'];
    if (subtype !== 'cancel_async_message' || typeof id !== 'string') return undefined;
    const started = session.received.some(
      ({ message, at }) => at < asked && message['command_uuid'] === id && message['state'] === 'started',
    );
    const isUnknown = !session.sent.some(({ message }) => message['uuid'] === id);
    const isRemoved = [...removedBy(session, 'interrupt'), ...removedBy(session, 'cancel_async_message')].some(
      ({ ids, at }) => at < asked && ids.includes(id),
    );
    if (payload === undefined)
      return member(answer, 'response', 'error_code') === 'unsupported_request'
        ? undefined
        : { message: 'cancel_async_message was refused.', got: answer };
    return member(payload, 'cancelled') === true && (isUnknown || ((started || isRemoved) && prompts.has(id)))
      ? { message: 'The answer has cancelled: true, but the prompt was not in the queue.', got: answer }
      : undefined;
  });
}

function lateCancels(session: Session): Broken | undefined {
  const isReported = (id: unknown, before: number) =>
    session.received.some(
      ({ message, at }) => at < before && message['command_uuid'] === id && message['state'] === 'cancelled',
    );
  if (!reportsStates(session)) return undefined;
  return firstOf(removedBy(session, 'cancel_async_message'), ({ ids, at }) => {
    const late = ids.find((id) => !isReported(id, at) && isReported(id, Infinity));
    return late === undefined
      ? undefined
      : { message: `The prompt ${shortJson(late)} was reported as cancelled only after the answer.` };
  });
}

function unreportedRemovals(session: Session): Broken | undefined {
  if (!session.isComplete || !reportsStates(session)) return undefined;
  const cancelled = new Set(
    session.received.flatMap(({ message }) => (message['state'] === 'cancelled' ? [message['command_uuid']] : [])),
  );
  const prompts = promptsOf(session);
  const removed = [...removedBy(session, 'interrupt'), ...removedBy(session, 'cancel_async_message')];
  const lost = [...removed.flatMap(({ ids }) => ids), ...interruptedPrompts(session)].find(
    (id) => prompts.has(id) && !cancelled.has(id),
  );
  return lost === undefined
    ? undefined
    : { message: `The prompt ${shortJson(lost)} was cancelled, but no command_lifecycle message reports this.` };
}

function interruptedPrompts(session: Session): readonly unknown[] {
  const asked = new Set<unknown>();
  let isInterrupted = false;
  return timelineOf(session).flatMap(({ message, isOurs }) => {
    if (isOurs && subtypeOf(message) === 'interrupt') asked.add(message['request_id']);
    if (isOurs) return [];
    if (asked.has(answeredId(message)) && payloadOf(message) !== undefined) isInterrupted = true;
    if (message['subtype'] === 'init') isInterrupted = false;
    if (message['type'] !== 'result') return [];
    const isEnded = isInterrupted && String(message['terminal_reason']).startsWith('aborted');
    isInterrupted = false;
    return isEnded ? listOf(message['user_message_uuids']).slice(0, 1) : [];
  });
}

import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Session } from '../../session-log.ts';
import { exchangesOf } from '../exchanges.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';
import { promptsOf, reportsStates, waitingAt, removedBy } from './queue.ts';

export const removalRules: readonly Rule[] = [
  { name: 'interrupt/removed-listed', spec: 'INT-17', check: unlistedRemovals },
  { name: 'interrupt/removed-stay-removed', spec: 'INT-16', check: (session) => runRemoved(session, 'interrupt') },
  { name: 'withdraw/stays-withdrawn', spec: 'INT-18', check: (session) => runRemoved(session, 'cancel_async_message') },
  { name: 'withdraw/sent-again', spec: 'TRN-22', check: runAfterRemoval },
  { name: 'withdraw/never-run', spec: 'INT-18', check: runAfterRemoval },
  { name: 'withdraw/waiting', spec: 'INT-18', check: keptPrompts },
  { name: 'withdraw/only-waiting', spec: 'INT-19', check: falselyWithdrawn },
  { name: 'withdraw/reported-first', spec: 'INT-20', check: lateCancels },
  { name: 'lifecycle/removed', spec: 'TRN-28', check: unreportedRemovals },
];

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

/** Finds prompts that were removed from the queue, sent once more, and then run. */
function runAfterRemoval(session: Session): Broken | undefined {
  const once = promptsOf(session);
  return firstOf(removedBy(session, 'cancel_async_message'), ({ ids, at }) =>
    firstOf(session.received, ({ message, at: place }) => {
      const run = place > at && message['state'] === 'started' ? message['command_uuid'] : undefined;
      return run === undefined || !ids.includes(run) || once.has(run)
        ? undefined
        : {
            message: `The prompt ${shortJson(run)} was removed from the queue and sent again, and was run.`,
            got: message,
          };
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

function hasStarted({ received }: Session, id: unknown): boolean {
  return received.some(({ message }) => message['command_uuid'] === id && message['state'] === 'started');
}

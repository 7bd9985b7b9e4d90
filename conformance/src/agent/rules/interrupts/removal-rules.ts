import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Message, type Placed, type Session } from '../../session-log.ts';
import { exchangesOf } from '../exchanges.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';
import { byKeys } from '../../../by-keys.ts';
import { firstAfter, firstFrom } from '../../../positions.ts';
import { promptsOf, removedBy, reportsStates, startsOf, WaitingPrompts } from './queue.ts';

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
  // A prompt that is withdrawn at the same time is not listed.
  const withdrawn = new Set(session.sent.map(({ message }) => member(message, 'request', 'message_uuid')));
  const removals = byKeys(removedBy(session, 'interrupt'), ({ ids }) => ids);
  const waiting = new WaitingPrompts(session, (id) => !startsOf(session).has(id) && !withdrawn.has(id));
  const clearing = exchangesOf(session).filter(
    ({ subtype, request, payload }) =>
      subtype === 'interrupt' && request['cancel_queued'] === true && Array.isArray(member(payload, 'cancelled')),
  );
  const missingIn = new Map(
    // The agent may report that a prompt is `cancelled` before it answers.
    clearing
      .toSorted((a, b) => a.asked - b.asked)
      .map((exchange) => {
        const listed = new Set(listOf(member(exchange.payload, 'cancelled')));
        const isRemovedByOther = (id: unknown) => removals.get(id)?.some(({ at }) => at !== exchange.at) === true;
        const isMissing = (id: unknown) => !listed.has(id) && !isRemovedByOther(id);
        return [exchange, waiting.find(exchange.asked, exchange.asked, isMissing)];
      }),
  );
  return firstOf(clearing, (exchange) => {
    const missing = missingIn.get(exchange);
    return missing === undefined
      ? undefined
      : {
          message: `The list "cancelled" does not contain ${shortJson(missing)}, which was in the queue.`,
          got: exchange.answer,
        };
  });
}

function runRemoved(session: Session, subtype: 'interrupt' | 'cancel_async_message'): Broken | undefined {
  const prompts = promptsOf(session);
  const runs = byKeys(session.received, ({ message }) => promptsRunBy(message));
  return firstOf(removedBy(session, subtype), ({ ids, at }) => {
    const removed = new Set(ids.filter((id) => prompts.has(id)));
    const first = earliest([...removed].map((id) => firstFrom(runs.get(id) ?? [], at)));
    return (
      first && {
        message: `The prompt ${shortJson(promptsRunBy(first.message).find((id) => removed.has(id)))} was removed from the queue, but was run.`,
        got: first.message,
      }
    );
  });
}

function promptsRunBy(message: Message): readonly unknown[] {
  const named = message['state'] === 'started' ? [message['command_uuid']] : [];
  const answered = message['type'] === 'result' ? listOf(message['user_message_uuids']) : [];
  return [...named, ...answered];
}

function earliest(placed: readonly (Placed | undefined)[]): Placed | undefined {
  return placed.reduce((first, each) => ((each?.at ?? Infinity) < (first?.at ?? Infinity) ? each : first), undefined);
}

/** Finds prompts that were removed from the queue, sent once more, and then run. */
function runAfterRemoval(session: Session): Broken | undefined {
  const once = promptsOf(session);
  return firstOf(removedBy(session, 'cancel_async_message'), ({ ids, at }) => {
    const again = ids.filter((id) => id !== undefined && !once.has(id));
    const run = earliest(again.map((id) => firstAfter(startsOf(session).get(id) ?? [], at)))?.message;
    return (
      run && {
        message: `The prompt ${shortJson(run['command_uuid'])} was removed from the queue and sent again, and was run.`,
        got: run,
      }
    );
  });
}

function keptPrompts(session: Session): Broken | undefined {
  const waiting = new WaitingPrompts(session);
  const interrupts = byKeys(removedBy(session, 'interrupt'), ({ ids }) => ids);
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, asked, at }) => {
    const id = request['message_uuid'];
    if (subtype !== 'cancel_async_message' || member(payload, 'cancelled') !== false) return undefined;
    // An earlier interrupt may have removed the prompt, and may be answered later.
    const isRemoved = interrupts.get(id)?.some((interrupt) => interrupt.asked < asked) === true;
    return !isRemoved && waiting.has(id, asked, at)
      ? { message: 'A queued prompt was not removed.', got: answer }
      : undefined;
  });
}

function falselyWithdrawn(session: Session): Broken | undefined {
  const prompts = promptsOf(session);
  const known = new Set(session.sent.map(({ message }) => message['uuid']));
  const removals = [...removedBy(session, 'interrupt'), ...removedBy(session, 'cancel_async_message')];
  const removalsOfPrompts = byKeys(
    removals.toSorted((a, b) => a.at - b.at),
    ({ ids }) => ids,
  );
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, asked }) => {
    const id = request['message_uuid'];
    if (subtype !== 'cancel_async_message' || typeof id !== 'string') return undefined;
    const isBefore = (placed: readonly { readonly at: number }[] | undefined) => (placed?.[0]?.at ?? Infinity) < asked;
    const started = isBefore(startsOf(session).get(id));
    const isUnknown = !known.has(id);
    const isRemoved = isBefore(removalsOfPrompts.get(id));
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
  if (!reportsStates(session)) return undefined;
  const reports = byKeys(session.received, ({ message }) =>
    message['state'] === 'cancelled' ? [message['command_uuid']] : [],
  );
  return firstOf(removedBy(session, 'cancel_async_message'), ({ ids, at }) => {
    const late = ids.find((id) => (reports.get(id)?.[0]?.at ?? -1) >= at);
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

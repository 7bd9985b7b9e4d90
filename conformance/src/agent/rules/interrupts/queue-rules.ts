import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { endsTurn } from '../control/request-rules.ts';
import { exchangesOf } from '../exchanges.ts';
import { donePrompts } from '../turns/life-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { isInit, subtypeOf } from '../timeline.ts';
import { promptsOf, waitingAt, removedBy } from './queue.ts';

export const queueRules: readonly Rule[] = [
  { name: 'queue/order', spec: 'TRN-17', check: (session) => overtaken(session, 'same') },
  { name: 'queue/later', spec: 'TRN-47', check: (session) => overtaken(session, 'later') },
  { name: 'queue/one-turn', spec: 'TRN-19', check: turnsWithinTurns },
  { name: 'queue/no-query', spec: 'TRN-21', check: repliesToAdditions },
  { name: 'interrupt/all-still-queued', spec: 'INT-14', check: unlistedPrompts },
  { name: 'interrupt/queued-run', spec: 'INT-15', check: queuedLost },
  { name: 'interrupt/one-turn-only', spec: 'INT-15', check: interruptedLater },
];

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

/** Finds prompts that waited when the last interrupt was answered, and whose turn ended as interrupted. */
function interruptedLater(session: Session): Broken | undefined {
  if (session.signalled) return undefined;
  const prompts = promptsOf(session);
  return firstOf(exchangesOf(session), ({ subtype, payload, asked, at }) => {
    const listed = subtype === 'interrupt' ? listOf(member(payload, 'still_queued')) : [];
    if (listed.length === 0) return undefined;
    const isLast = !session.sent.some((placed) => placed.at > asked && mayEndATurn(placed.message));
    return firstOf(session.received, ({ message, at: place }) => {
      const cancelled = message['state'] === 'cancelled' ? message['command_uuid'] : undefined;
      return isLast && place > at && listed.includes(cancelled) && prompts.has(cancelled)
        ? {
            message: `The prompt ${shortJson(cancelled)} waited at the interrupt, but its turn was interrupted.`,
            got: message,
          }
        : undefined;
    });
  });
}

function mayEndATurn(message: Message): boolean {
  return endsTurn(message) || subtypeOf(message) === 'cancel_async_message';
}

import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Message, type Placed, type Session } from '../../session-log.ts';
import { endsTurn } from '../control/request-rules.ts';
import { exchangesOf } from '../exchanges.ts';
import { donePrompts } from '../turns/life-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { isInit, subtypeOf } from '../timeline.ts';
import { countWhile } from '../../../positions.ts';
import { addedPromptsOf, promptsOf, removedBy, WaitingPrompts } from './queue.ts';

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
  const waiting = new Queue();
  // Prompts that arrived while nothing else was to be done, so that the agent may have begun their turns at once.
  const immediate = new Set<Placed>();
  let isIdle = true;
  return firstOf(session.received, ({ message }) => {
    const { type, command_uuid: id, state } = message;
    if (isInit(message) || state === 'started') isIdle = false;
    if (type === 'result' || state === 'idle') isIdle = true;
    const prompt = prompts.get(id);
    if (type !== 'command_lifecycle' || prompt === undefined) return undefined;
    if (state === 'queued' && isIdle && waiting.isEmpty) immediate.add(prompt);
    if (state === 'queued') waiting.add(prompt);
    else waiting.delete(prompt);
    if (state !== 'started' || (kind === 'later' && immediate.has(prompt))) return undefined;
    const passed = kind === 'later' ? waiting.beforeLater(prompt) : waiting.before(prompt);
    return passed === undefined
      ? undefined
      : {
          message: `The prompt ${shortJson(id)} has started, although ${shortJson(passed.message['uuid'])} must run before it.`,
          got: message,
        };
  });
}

/** The prompts that wait. */
class Queue {
  readonly #prompts = new Set<Placed>();
  /** The prompts of each priority, in the order in which they were sent. */
  readonly #byPriority = new Map<unknown, Placed[]>();

  get isEmpty(): boolean {
    return this.#prompts.size === 0;
  }

  add(prompt: Placed): void {
    if (this.#prompts.has(prompt)) return;
    this.#prompts.add(prompt);
    const same = this.#of(prompt);
    same.splice(
      countWhile(same, ({ at }) => at < prompt.at),
      0,
      prompt,
    );
  }

  delete(prompt: Placed): void {
    if (!this.#prompts.delete(prompt)) return;
    const same = this.#of(prompt);
    same.splice(
      countWhile(same, ({ at }) => at < prompt.at),
      1,
    );
  }

  /** A prompt with the same priority that was sent before a prompt. */
  before(prompt: Placed): Placed | undefined {
    const isBefore = ({ at }: Placed) => at < prompt.at;
    const [first] = this.#of(prompt);
    return first !== undefined && isBefore(first)
      ? [...this.#prompts].find((each) => isBefore(each) && priorityOf(each) === priorityOf(prompt))
      : undefined;
  }

  /** If a prompt has the priority `later`, a prompt with a different one. */
  beforeLater(prompt: Placed): Placed | undefined {
    const hasOther = this.#prompts.size > this.#of(prompt).length;
    return priorityOf(prompt) === 'later' && hasOther
      ? [...this.#prompts].find((each) => priorityOf(each) !== 'later')
      : undefined;
  }

  #of(prompt: Placed): Placed[] {
    const same = this.#byPriority.get(priorityOf(prompt)) ?? [];
    this.#byPriority.set(priorityOf(prompt), same);
    return same;
  }
}

function priorityOf({ message }: Placed): unknown {
  return message['priority'];
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
  const added = addedPromptsOf(session);
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
    // A turn that a prompt without an id began may list only messages that were added later.
    const isAddition = (uuid: unknown) =>
      prompts.get(uuid)?.message['shouldQuery'] === false && added.get(message)?.has(uuid) !== true;
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
  const waiting = new WaitingPrompts(session, (id) => !removed.has(id));
  const isOld = !hasReceipts(session);
  return firstOf(exchangesOf(session), ({ subtype, request, payload, answer, asked, at }) => {
    const given = member(payload, 'still_queued');
    if (subtype !== 'interrupt' || request['cancel_queued'] === true || payload === undefined) return undefined;
    if (given === undefined && isOld) return undefined;
    const listed = new Set(listOf(given));
    const missing = waiting.find(asked, at, (id) => !listed.has(id));
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
  const last = session.sent.findLast(({ message }) => mayEndATurn(message))?.at ?? -1;
  return firstOf(exchangesOf(session), ({ subtype, payload, asked, at }) => {
    const listed = new Set(subtype === 'interrupt' ? listOf(member(payload, 'still_queued')) : []);
    if (listed.size === 0 || asked < last) return undefined;
    return firstOf(session.received, ({ message, at: place }) => {
      const cancelled = message['state'] === 'cancelled' ? message['command_uuid'] : undefined;
      return place > at && listed.has(cancelled) && prompts.has(cancelled)
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

import { isObject, shortJson } from '@proto/testkit/steps';

import { answeredId, endedPrompts, isInit, isPrompt, subtypeOf } from './rules/timeline.ts';
import { listOf, member, type Message, SentMessages, type SessionLog } from './session-log.ts';

interface WaitingPrompt {
  readonly uuid: unknown;
  /** Whether a turn was running when the prompt was sent. */
  readonly whileBusy: boolean;
}

interface OpenRequest {
  readonly isBusy: boolean;
  /** Whether a request of the agent was open when the host sent this request. */
  readonly isAsked: boolean;
}

export class Obligations {
  /** The agent's requests that the host has neither answered nor seen withdrawn, by their ids. */
  readonly questions = new Map<unknown, Message>();
  readonly requests = new Map<unknown, OpenRequest>();
  /**
   * The prompts of the usual form for which no turn has begun, by their ids. If such a prompt gets no turn, the cause is an event before the prompt.
   */
  readonly waiting = new Map<unknown, WaitingPrompt>();
  runs = false;
  /** `undefined` before the end of the first turn. */
  lastTurn: { readonly isError: boolean; readonly isInterrupted: boolean } | undefined;
  inputEnded = false;
  /** The ids of the prompts whose end the agent has not reported. */
  readonly #prompts = new Set<unknown>();
  readonly #seen = new Set<unknown>();
  #state: unknown;
  #isInterrupted = false;
  readonly #sent = new SentMessages();
  #read = 0;

  /** Reads what has happened since the last call. */
  follow({ events }: SessionLog): this {
    for (; this.#read < events.length; this.#read++) {
      const event = events[this.#read];
      if (event?.kind === 'input-ended') this.inputEnded = true;
      if (event?.kind === 'sent') for (const message of this.#sent.push(event.text)) this.#onSent(message);
      if (event?.kind === 'received' && isObject(event.value)) this.#onReceived(event.value);
    }
    return this;
  }

  /** What the agent still has to do, each item as a sentence without its full stop. Empty if the agent has nothing left to do. */
  get outstanding(): readonly string[] {
    return [
      ...[...this.requests.keys()].map((id) => `The request ${shortJson(id)} is not answered`),
      ...[...this.#prompts].map((uuid) => `The prompt ${shortJson(uuid)} is not finished`),
      ...(this.runs ? ['The running turn has no result'] : []),
      ...(this.#state === undefined || this.#state === 'idle'
        ? []
        : [`The last state that was reported is ${shortJson(this.#state)}`]),
    ];
  }

  get isIdle(): boolean {
    const reportsIdle = this.#state === undefined || this.#state === 'idle';
    return !this.runs && reportsIdle && this.requests.size === 0 && this.#prompts.size === 0;
  }

  #onSent(message: Message): void {
    const { type, uuid, request_id: id } = message;
    const subtype = subtypeOf(message);
    if (type === 'control_response') this.questions.delete(answeredId(message));
    else if (type === 'control_cancel_request') this.requests.delete(id);
    else if (subtype !== undefined) {
      this.requests.set(id, { isBusy: this.runs, isAsked: this.questions.size > 0 });
      if (subtype === 'interrupt') this.#isInterrupted ||= this.runs;
      if (member(message, 'request', 'cancel_queued') === true) this.waiting.clear();
      this.waiting.delete(member(message, 'request', 'message_uuid'));
    } else if (isPrompt(message) && !this.#seen.has(uuid)) {
      this.#seen.add(uuid);
      this.#prompts.add(uuid);
      if (isPlain(message)) this.waiting.set(uuid, { uuid, whileBusy: this.runs });
    }
  }

  #onReceived(message: Message): void {
    const { type, subtype, state, request_id: id } = message;
    for (const uuid of endedPrompts(message)) this.#prompts.delete(uuid);
    if (type === 'control_response') this.requests.delete(answeredId(message));
    else if (type === 'control_cancel_request') this.questions.delete(id);
    else if (subtypeOf(message) !== undefined) this.questions.set(id, message);
    else if (isInit(message)) this.#onInit(message);
    else if (type === 'result') this.#onResult(message);
    else if (type === 'command_lifecycle' && state !== 'queued') this.waiting.delete(message['command_uuid']);
    else if (subtype === 'session_state_changed') this.#state = state;
  }

  #onInit(message: Message): void {
    this.runs = true;
    this.#isInterrupted = false;
    // The prompt of the turn, or all waiting prompts if the agent does not name a prompt.
    const named = listOf(message['user_message_uuids']);
    if (named.length === 0) this.waiting.clear();
    for (const uuid of named) this.waiting.delete(uuid);
  }

  #onResult(message: Message): void {
    this.runs = false;
    this.lastTurn = { isError: message['is_error'] === true, isInterrupted: this.#isInterrupted };
    for (const uuid of listOf(message['user_message_uuids'])) this.waiting.delete(uuid);
  }
}

const known = new WeakMap<SessionLog['events'], Obligations>();

/** Returns what is still to be done at the current end of a log. */
export function obligationsOf(log: SessionLog): Obligations {
  const obligations = known.get(log.events) ?? new Obligations();
  known.set(log.events, obligations);
  return obligations.follow(log);
}

function isPlain({ priority, message }: Message): boolean {
  return priority === undefined && typeof member(message, 'content') === 'string';
}

import { requestIdOf } from '@proto/core/internal';
import { idOf, isObject, type JsonObject, objectOf, stringOf } from '../json/values.ts';
import type { SessionEvent, Source } from './session-event.ts';

/** Requests of one side that may be open at once; a further one is refused. */
const MAX_OPEN_REQUESTS = 1000;
/**
 * Requests that are remembered as resolved, so that a late answer to one is told so. Once some are forgotten, any answer to what is not open
 * may be such a one.
 */
const MAX_REMEMBERED = 256;
/** What is held of requests that the log does not have, in UTF-16 units: for who asks later what is open. */
const MAX_HELD_UNITS = 1024 * 1024;

/** How a request ended: who ended it (the account, or `worker`), and how. */
export interface Resolution {
  readonly requestId: string;
  readonly by: string;
  readonly outcome: 'answered' | 'cancelled';
}

/**
 * Why a request or an answer has no effect: `already_resolved` is answered or cancelled, or may have been; `request_not_open` was never
 * asked; `request_id_taken`: another request of this side is open under that id.
 */
export type RequestRefusal =
  | 'too_many_open_requests'
  | 'already_resolved'
  | 'request_not_open'
  | 'request_id_taken'
  | 'invalid_answer';

/** What has to be known of a request to tell its answer; what it asks is in the log. */
export interface OpenRequest {
  readonly eventId: string;
  readonly subtype: string;
  /** The length of its text: how large an answer may be depends on it. */
  readonly bytes: number;
  /** Its place in the log; absent where it was not kept. */
  readonly sequence?: number | undefined;
  /** Its text, where the log does not have it. */
  readonly text?: string | undefined;
}

/** What of this state is stored. */
export interface ControlRequestsState {
  readonly open: readonly (readonly [Source, string, OpenRequest | EarlierOpenRequest])[];
  /** Side and id of each; with the id of the answer, as earlier versions stored it. */
  readonly answered: readonly (string | readonly [string, string])[];
  readonly hasForgotten?: boolean;
}

/** As earlier versions stored it. */
interface EarlierOpenRequest {
  readonly eventId: string;
  readonly isPermission: boolean;
}

/** A message on its way into the log, as far as it concerns requests. */
export interface RequestMessage {
  readonly id: string;
  readonly type: string;
  readonly payload: JsonObject;
  /** Whether the log has this very answer of this sender already. */
  readonly isRepeat?: boolean;
}

/**
 * The control requests of a session, of both sides. States of one: unknown -> open (a `control_request` was stored, or the worker said that it
 * waits for the answer) -> resolved (the first valid `control_response` of the other side, or a `control_cancel_request` of its own
 * side). A new event under an old id is a new request: an agent that starts again may count from the beginning.
 */
export class ControlRequests {
  /** By asking side and id: neither side can hide a request of the other behind one of its own, nor leave it no room. */
  readonly #open: Readonly<Record<Source, Map<string, OpenRequest>>> = { client: new Map(), worker: new Map() };
  /** By the same, those that were answered or cancelled. The oldest are forgotten. */
  readonly #resolved: Set<string>;
  #hasForgotten: boolean;
  #heldUnits = 0;

  constructor(state: ControlRequestsState = { open: [], answered: [] }) {
    for (const [asker, requestId, request] of state.open) this.#hold(asker, requestId, presentForm(request));
    this.#resolved = new Set(state.answered.map((each) => (typeof each === 'string' ? each : each[0])));
    this.#hasForgotten = state.hasForgotten === true;
  }

  get state(): ControlRequestsState {
    const open = (['client', 'worker'] as const).flatMap((asker) =>
      [...this.#open[asker]].map(([requestId, request]) => [asker, requestId, request] as const),
    );
    return { open, answered: [...this.#resolved], hasForgotten: this.#hasForgotten };
  }

  get size(): number {
    return this.#open.client.size + this.#open.worker.size;
  }

  /** What the worker waits for, in the order of asking. */
  get ofWorker(): Iterable<OpenRequest> {
    return this.#open.worker.values();
  }

  /** The length of the longest request that the worker waits for. */
  get longestBytes(): number {
    let longest = 0;
    for (const { bytes } of this.#open.worker.values()) longest = Math.max(longest, bytes);
    return longest;
  }

  /** Whether this event is what is asked under its id, and nobody has answered. */
  isOpen(asker: Source, requestId: string | undefined, eventId: string): boolean {
    return requestId !== undefined && this.#open[asker].get(requestId)?.eventId === eventId;
  }

  /** The request that an answer of a client is to; undefined where none is open. */
  answeredBy({ type, payload }: Pick<RequestMessage, 'type' | 'payload'>): OpenRequest | undefined {
    const requestId = type === 'control_response' ? answeredId(payload['response']) : undefined;
    return requestId === undefined ? undefined : this.#open.worker.get(requestId);
  }

  /** Gives what tells why a message must not be stored, asked for one after the other. Looking changes nothing. */
  check(source: Source): (message: RequestMessage) => RequestRefusal | undefined {
    const asked = new Set<string>();
    const answered = new Map<string, string>();
    return (message) => {
      const { id, type, payload } = message;
      if (type === 'control_request') {
        const requestId = idOf(requestIdOf(payload));
        const open = this.#open[source];
        if (requestId === undefined || open.has(requestId)) return undefined;
        return open.size + asked.add(requestId).size > MAX_OPEN_REQUESTS ? 'too_many_open_requests' : undefined;
      }
      if (type !== 'control_response' || source === 'worker') return undefined;
      const requestId = answeredId(payload['response']);
      if (requestId === undefined) return 'invalid_answer';
      const refusal = this.#refusalOf(message, requestId);
      if (refusal !== undefined) return refusal;
      // A second answer in the same POST comes too late, too.
      if ((answered.get(requestId) ?? id) !== id) return 'already_resolved';
      answered.set(requestId, id);
      return undefined;
    };
  }

  /** Why a client must not ask what the server answers by itself; undefined where it may. */
  checkOwn({ id, payload }: RequestMessage): RequestRefusal | 'invalid_entry' | undefined {
    const requestId = idOf(requestIdOf(payload));
    if (requestId === undefined) return 'invalid_entry';
    // The answer would be taken for the answer to the other one.
    const open = this.#open.client.get(requestId);
    return open === undefined || open.eventId === id ? undefined : 'request_id_taken';
  }

  #refusalOf({ payload, isRepeat }: RequestMessage, requestId: string): RequestRefusal | undefined {
    const asked = this.#open.worker.get(requestId);
    if (asked !== undefined) {
      return asked.subtype !== 'can_use_tool' || isDecision(payload['response']) ? undefined : 'invalid_answer';
    }
    // The answer that won, sent again because the reply to it was lost, is no second one.
    if (isRepeat === true) return undefined;
    // It may be one of those that are forgotten.
    const isResolved = this.#hasForgotten || this.#resolved.has(keyOf('worker', requestId));
    return isResolved ? 'already_resolved' : 'request_not_open';
  }

  /** Takes note of a message that was stored, or was said without being kept, and tells which request it ended. */
  apply(event: SessionEvent, text: string): Resolution | undefined {
    const { source, type, payload, sender = 'worker' } = event;
    if (type === 'control_request') {
      const requestId = idOf(requestIdOf(payload));
      if (requestId !== undefined) this.#ask(source, requestId, openRequest(event, text));
      return undefined;
    }
    const isAnswer = type === 'control_response';
    if (!isAnswer && type !== 'control_cancel_request') return undefined;
    const requestId = isAnswer ? answeredId(payload['response']) : idOf(requestIdOf(payload));
    if (requestId === undefined) return undefined;
    // One side answers what the other asked, and takes back what it asked itself.
    const asker = isAnswer === (source === 'client') ? 'worker' : 'client';
    this.#remember(keyOf(asker, requestId));
    if (!this.#letGo(asker, requestId)) return undefined;
    return { requestId, by: sender, outcome: isAnswer ? 'answered' : 'cancelled' };
  }

  /** The worker says that it waits for the answer to this request. One that was answered meanwhile stays answered. */
  listed(frame: JsonObject): void {
    const requestId = idOf(requestIdOf(frame));
    if (requestId === undefined || this.#open.worker.has(requestId) || this.#open.worker.size >= MAX_OPEN_REQUESTS)
      return;
    if (this.#resolved.has(keyOf('worker', requestId))) return;
    const text = JSON.stringify(frame);
    this.#hold('worker', requestId, { ...requestFacts(frame, text), eventId: idOf(frame['uuid']) ?? '', text });
  }

  /** The subtype of the request that this answer of the worker is to; undefined where none is open. */
  askedSubtype(payload: JsonObject): string | undefined {
    const requestId = answeredId(payload['response']);
    return requestId === undefined ? undefined : this.#open.client.get(requestId)?.subtype;
  }

  #ask(asker: Source, requestId: string, request: OpenRequest): void {
    this.#resolved.delete(keyOf(asker, requestId));
    this.#hold(asker, requestId, request);
  }

  #hold(asker: Source, requestId: string, request: OpenRequest): void {
    this.#letGo(asker, requestId);
    const units = request.text?.length ?? 0;
    const isHeld = this.#heldUnits + units <= MAX_HELD_UNITS;
    if (isHeld) this.#heldUnits += units;
    this.#open[asker].set(requestId, isHeld ? request : { ...request, text: undefined });
  }

  #letGo(asker: Source, requestId: string): boolean {
    this.#heldUnits -= this.#open[asker].get(requestId)?.text?.length ?? 0;
    return this.#open[asker].delete(requestId);
  }

  #remember(key: string): void {
    this.#resolved.add(key);
    for (const oldest of this.#resolved) {
      if (this.#resolved.size <= MAX_REMEMBERED) break;
      this.#resolved.delete(oldest);
      this.#hasForgotten = true;
    }
  }
}

/** The id of the request that a `response` answers; undefined for what is no answer. */
export function answeredId(response: unknown): string | undefined {
  const answer = objectOf(response);
  const { subtype } = answer;
  return subtype === 'success' || subtype === 'error' ? idOf(requestIdOf(answer)) : undefined;
}

function openRequest({ id, sequence, payload, isKept }: SessionEvent, text: string): OpenRequest {
  return { ...requestFacts(payload, text), eventId: id, ...(isKept ? { sequence } : { text }) };
}

function requestFacts(frame: JsonObject, text: string): Pick<OpenRequest, 'subtype' | 'bytes'> {
  const { subtype } = objectOf(frame['request']);
  return { subtype: idOf(subtype) ?? '', bytes: new TextEncoder().encode(text).byteLength };
}

function presentForm(request: OpenRequest | EarlierOpenRequest): OpenRequest {
  if (!('isPermission' in request)) return request;
  return { eventId: request.eventId, subtype: request.isPermission ? 'can_use_tool' : '', bytes: 0 };
}

function keyOf(asker: Source, requestId: string): string {
  return `${asker}:${requestId}`;
}

/** A permission is given by an explicit answer only: what says neither allow nor deny must not take the place of one that does. */
function isDecision(response: unknown): boolean {
  const { subtype, response: answer } = objectOf(response);
  if (subtype === 'error') return true;
  const behavior = isObject(answer) ? stringOf(answer['behavior']) : undefined;
  return behavior === 'allow' || behavior === 'deny';
}

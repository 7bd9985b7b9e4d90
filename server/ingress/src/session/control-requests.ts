import { requestIdOf } from '@proto/core/internal';
import { idOf, isObject, type JsonObject, objectOf, stringOf } from '../json/values.ts';
import type { SessionEvent, Source } from './session-event.ts';

const MAX_OPEN_REQUESTS_OF_SIDE = 1000;
/**
 * The maximum number of requests that are remembered as resolved, so that a late answer gets the right refusal. Once some are forgotten, any answer
 * without an open request may be late.
 */
const MAX_REMEMBERED = 256;
/** How much text of ephemeral requests is kept, in UTF-16 units, for clients that later ask which requests are open. */
const MAX_HELD_UNITS = 1024 * 1024;

/** How a request ended: `asker` is the side that sent the request, `by` is the name of the account that ended it, or `worker`. */
export interface Resolution {
  readonly asker: Source;
  readonly requestId: string;
  readonly by: string;
  readonly outcome: 'answered' | 'cancelled';
}

/**
 * Why a request or an answer has no effect. `already_resolved`: the request was, or may have been, answered or cancelled · `request_not_open`: the
 * request is unknown · `request_id_taken`: another request of this side is open with that id · `invalid_answer`: the answer names no request, or
 * makes no decision · `too_many_open_requests`.
 */
export type RequestRefusal =
  | 'too_many_open_requests'
  | 'already_resolved'
  | 'request_not_open'
  | 'request_id_taken'
  | 'invalid_answer';

/** The facts about an open request. The text of the request is in the log. */
export interface OpenRequest {
  readonly eventId: string;
  readonly subtype: string;
  /** The length of the request's text in bytes, which limits the length of the answer. */
  readonly bytes: number;
  /** The position of the request in the log; absent for an ephemeral request. */
  readonly sequence?: number | undefined;
  readonly text?: string | undefined;
  /** When the request was sent, in milliseconds since 1970; absent if it is not known. */
  readonly askedAt?: number | undefined;
  /** The tool that waits for a permission. */
  readonly toolName?: string | undefined;
}

/** The stored form of this state. */
export interface ControlRequestsState {
  readonly open: readonly (readonly [Source, string, OpenRequest | EarlierOpenRequest])[];
  /** The side and id of each request. Earlier versions stored the id of the answer too. */
  readonly answered: readonly (string | readonly [string, string])[];
  readonly hasForgotten?: boolean;
}

interface EarlierOpenRequest {
  readonly eventId: string;
  readonly isPermission: boolean;
}

/** The members of a message that matter for requests, before the message is stored. */
export interface RequestMessage {
  readonly id: string;
  readonly type: string;
  readonly payload: JsonObject;
}

/**
 * The control requests of both sides of a session. States of a request: unknown -> open (a `control_request` was stored, or the worker has listed the
 * request as open) -> resolved (by the first valid `control_response` of the other side, or by a `control_cancel_request` of the same side). A new
 * event with an old id is a new request, because a restarted agent may start to count its ids again.
 */
export class ControlRequests {
  /** The open requests by side and id. Each side has its own map, so that no side can replace a request of the opposite side or use up its room. */
  readonly #open: Readonly<Record<Source, Map<string, OpenRequest>>> = { client: new Map(), worker: new Map() };
  /**
   * The requests that were answered or cancelled, by their keys. The value is the id of the event that did this; undefined if the event had no effect,
   * or if it was applied before a restart. The oldest requests are forgotten.
   */
  readonly #resolved: Map<string, string | undefined>;
  #hasForgotten: boolean;
  #heldUnits = 0;

  constructor(state: ControlRequestsState = { open: [], answered: [] }) {
    for (const [asker, requestId, request] of state.open) this.#hold(asker, requestId, presentForm(request));
    this.#resolved = new Map(state.answered.map((each) => [typeof each === 'string' ? each : each[0], undefined]));
    this.#hasForgotten = state.hasForgotten === true;
  }

  get state(): ControlRequestsState {
    const open = (['client', 'worker'] as const).flatMap((asker) =>
      [...this.#open[asker]].map(([requestId, request]) => [asker, requestId, request] as const),
    );
    return { open, answered: [...this.#resolved.keys()], hasForgotten: this.#hasForgotten };
  }

  get size(): number {
    return this.#open.client.size + this.#open.worker.size;
  }

  /** The worker's open requests, in order. */
  get ofWorker(): Iterable<OpenRequest> {
    return this.#open.worker.values();
  }

  /** The worker's open requests by their ids. */
  get ofWorkerById(): ReadonlyMap<string, OpenRequest> {
    return this.#open.worker;
  }

  /** The length of the worker's longest open request, in bytes. */
  get longestBytes(): number {
    let longest = 0;
    for (const { bytes } of this.#open.worker.values()) longest = Math.max(longest, bytes);
    return longest;
  }

  /** Whether this event is the open request with that id. */
  isOpen(asker: Source, requestId: string | undefined, eventId: string): boolean {
    return requestId !== undefined && this.#open[asker].get(requestId)?.eventId === eventId;
  }

  /** Whether a request of the worker was ended by this event, as far as this is remembered. */
  isEndedBy(requestId: string | undefined, eventId: string): boolean {
    return requestId !== undefined && this.#resolved.get(keyOf('worker', requestId)) === eventId;
  }

  /** Returns the open request that a client answers; undefined if no such request is open. */
  answeredBy({ type, payload }: Pick<RequestMessage, 'type' | 'payload'>): OpenRequest | undefined {
    const requestId = type === 'control_response' ? answeredId(payload['response']) : undefined;
    return requestId === undefined ? undefined : this.#open.worker.get(requestId);
  }

  /**
   * Returns a function that checks the messages of one POST in order, and returns why a message must not be stored. The checks do not change this
   * object. `isRepeat` means that the log already contains this answer from this sender.
   */
  check(source: Source): (message: RequestMessage, isRepeat?: boolean) => RequestRefusal | undefined {
    const asked = new Set<string>();
    const answered = new Map<string, string>();
    return ({ id, type, payload }, isRepeat = false) => {
      if (type === 'control_request') {
        const requestId = idOf(requestIdOf(payload));
        const open = this.#open[source];
        if (requestId === undefined || open.has(requestId)) return undefined;
        return open.size + asked.add(requestId).size > MAX_OPEN_REQUESTS_OF_SIDE ? 'too_many_open_requests' : undefined;
      }
      if (type !== 'control_response' || source === 'worker') return undefined;
      const requestId = answeredId(payload['response']);
      if (requestId === undefined) return 'invalid_answer';
      const refusal = this.#refusalOf(payload, requestId, isRepeat);
      if (refusal !== undefined) return refusal;
      // A second answer in the same POST is late too.
      if ((answered.get(requestId) ?? id) !== id) return 'already_resolved';
      answered.set(requestId, id);
      return undefined;
    };
  }

  /** Returns why a client must not send a request that the server answers by itself; undefined if the client may send it. */
  checkOwn({ id, payload }: RequestMessage): RequestRefusal | 'invalid_entry' | undefined {
    const requestId = idOf(requestIdOf(payload));
    if (requestId === undefined) return 'invalid_entry';
    // The server's answer would be mistaken for the answer to the other request.
    const open = this.#open.client.get(requestId);
    return open === undefined || open.eventId === id ? undefined : 'request_id_taken';
  }

  #refusalOf(payload: JsonObject, requestId: string, isRepeat: boolean): RequestRefusal | undefined {
    const asked = this.#open.worker.get(requestId);
    if (asked !== undefined) {
      return asked.subtype !== 'can_use_tool' || isDecision(payload['response']) ? undefined : 'invalid_answer';
    }
    // If the HTTP reply was lost and the client repeats the first answer, that is not a second answer.
    if (isRepeat) return undefined;
    // If some resolved requests were forgotten, this request may be one of them.
    const isResolved = this.#hasForgotten || this.#resolved.has(keyOf('worker', requestId));
    return isResolved ? 'already_resolved' : 'request_not_open';
  }

  /** Applies a stored or ephemeral message. Returns the request that the message ended. */
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
    // Each side answers the requests of the other side and cancels its own.
    const asker = isAnswer === (source === 'client') ? 'worker' : 'client';
    const wasOpen = this.#letGo(asker, requestId);
    this.#remember(keyOf(asker, requestId), wasOpen ? event.id : undefined);
    if (!wasOpen) return undefined;
    return { asker, requestId, by: sender, outcome: isAnswer ? 'answered' : 'cancelled' };
  }

  /** Applies a request that the worker has listed as open. A request that has been answered in the meantime stays answered. */
  listed(frame: JsonObject): void {
    const requestId = idOf(requestIdOf(frame));
    if (
      requestId === undefined ||
      this.#open.worker.has(requestId) ||
      this.#open.worker.size >= MAX_OPEN_REQUESTS_OF_SIDE
    )
      return;
    if (this.#resolved.has(keyOf('worker', requestId))) return;
    const text = JSON.stringify(frame);
    this.#hold('worker', requestId, { ...requestFacts(frame, text), eventId: idOf(frame['uuid']) ?? '', text });
  }

  /** Returns the subtype of the open request that the worker answers; undefined if no such request is open. */
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

  #remember(key: string, eventId: string | undefined): void {
    this.#resolved.set(key, this.#resolved.get(key) ?? eventId);
    for (const oldest of this.#resolved.keys()) {
      if (this.#resolved.size <= MAX_REMEMBERED) break;
      this.#resolved.delete(oldest);
      this.#hasForgotten = true;
    }
  }
}

/** The id of the request that a `response` answers; undefined for an invalid answer. */
export function answeredId(response: unknown): string | undefined {
  const answer = objectOf(response);
  const { subtype } = answer;
  return subtype === 'success' || subtype === 'error' ? idOf(requestIdOf(answer)) : undefined;
}

function openRequest({ id, sequence, payload, isKept, createdAt }: SessionEvent, text: string): OpenRequest {
  return { ...requestFacts(payload, text), eventId: id, askedAt: createdAt, ...(isKept ? { sequence } : { text }) };
}

function requestFacts(frame: JsonObject, text: string): Pick<OpenRequest, 'subtype' | 'bytes' | 'toolName'> {
  const { subtype, tool_name: toolName } = objectOf(frame['request']);
  const bytes = new TextEncoder().encode(text).byteLength;
  return { subtype: idOf(subtype) ?? '', bytes, ...(idOf(toolName) !== undefined && { toolName: idOf(toolName) }) };
}

function presentForm(request: OpenRequest | EarlierOpenRequest): OpenRequest {
  if (!('isPermission' in request)) return request;
  return { eventId: request.eventId, subtype: request.isPermission ? 'can_use_tool' : '', bytes: 0 };
}

function keyOf(asker: Source, requestId: string): string {
  return `${asker}:${requestId}`;
}

/** Whether an answer to a permission request makes a decision. An answer without allow or deny must not block a later answer that decides. */
function isDecision(response: unknown): boolean {
  const { subtype, response: answer } = objectOf(response);
  if (subtype === 'error') return true;
  const behavior = isObject(answer) ? stringOf(answer['behavior']) : undefined;
  return behavior === 'allow' || behavior === 'deny';
}

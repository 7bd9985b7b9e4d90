import { isObject, type JsonObject, objectOf } from '../json.ts';
import { idOf } from './id.ts';
import type { SessionEvent, Source } from './session-event.ts';

/** Requests of one side that may be open at once; a further one is refused. */
const MAX_OPEN_REQUESTS = 1000;
/**
 * Answers that are remembered, so that the one which won is told so when it is sent again. Once some are forgotten, an answer to what is
 * not open comes too late.
 */
const MAX_REMEMBERED_ANSWERS = 256;

/** How a request ended: who ended it (the account, or `worker`), and how. */
export interface Resolution {
  readonly requestId: string;
  readonly by: string;
  readonly outcome: 'answered' | 'cancelled';
}

/** Why a request or an answer has no effect. */
export type Refusal = 'too_many_open_requests' | 'already_resolved' | 'invalid_answer';

/** What has to be known of a request to tell its answer; what it asks is in the log. */
interface OpenRequest {
  readonly eventId: string;
  readonly isPermission: boolean;
}

/** What of this state is stored. */
export interface ControlRequestsState {
  readonly open: readonly (readonly [Source, string, OpenRequest])[];
  readonly answered: readonly (readonly [string, string])[];
  readonly hasForgotten?: boolean;
}

/**
 * The control requests of a session, of both sides. States of one: unknown -> open (a `control_request` was stored) -> resolved (the
 * first valid `control_response` of the other side, or a `control_cancel_request` of its own side). A new event under an old id is a
 * new request: an agent that starts again may count from the beginning.
 */
export class ControlRequests {
  /** By asking side and id: neither side can hide a request of the other behind one of its own, nor leave it no room. */
  readonly #open: Readonly<Record<Source, Map<string, OpenRequest>>> = { client: new Map(), worker: new Map() };
  /** By the same, the id of the event that answered. The oldest are forgotten. */
  readonly #answered: Map<string, string>;
  #hasForgotten: boolean;

  constructor(state: ControlRequestsState = { open: [], answered: [] }) {
    for (const [asker, requestId, request] of state.open) this.#open[asker].set(requestId, request);
    this.#answered = new Map(state.answered);
    this.#hasForgotten = state.hasForgotten === true;
  }

  get state(): ControlRequestsState {
    const open = (['client', 'worker'] as const).flatMap((asker) =>
      [...this.#open[asker]].map(([requestId, request]) => [asker, requestId, request] as const),
    );
    return { open, answered: [...this.#answered], hasForgotten: this.#hasForgotten };
  }

  get size(): number {
    return this.#open.client.size + this.#open.worker.size;
  }

  /** Whether this event is what is asked under its id, and nobody has answered. */
  isOpen(asker: Source, requestId: string | undefined, eventId: string): boolean {
    return requestId !== undefined && this.#open[asker].get(requestId)?.eventId === eventId;
  }

  /** Gives what tells why an entry of a POST must not be stored, asked for one after the other. Looking changes nothing. */
  check(source: Source): (entry: Pick<SessionEvent, 'id' | 'type' | 'payload'>) => Refusal | undefined {
    const asked = new Set<string>();
    const answered = new Map<string, string>();
    return ({ id, type, payload }) => {
      if (type === 'control_request') {
        const requestId = idOf(payload['request_id']);
        const open = this.#open[source];
        if (requestId === undefined || open.has(requestId)) return undefined;
        return open.size + asked.add(requestId).size > MAX_OPEN_REQUESTS ? 'too_many_open_requests' : undefined;
      }
      if (type !== 'control_response' || source === 'worker') return undefined;
      const requestId = answeredId(payload['response']);
      if (requestId === undefined) return 'invalid_answer';
      const refusal = this.#refusalOf(id, requestId, payload);
      if (refusal !== undefined) return refusal;
      // A second answer in the same POST comes too late, too.
      if ((answered.get(requestId) ?? id) !== id) return 'already_resolved';
      answered.set(requestId, id);
      return undefined;
    };
  }

  #refusalOf(eventId: string, requestId: string, { response }: JsonObject): Refusal | undefined {
    const winner = this.#answered.get(keyOf('worker', requestId));
    // The winner itself, sent again because the reply to it was lost, is no second answer.
    if (winner !== undefined) return winner === eventId ? undefined : 'already_resolved';
    const asked = this.#open.worker.get(requestId);
    // It may be one of those that are forgotten.
    if (asked === undefined && this.#hasForgotten) return 'already_resolved';
    return asked?.isPermission !== true || isDecision(response) ? undefined : 'invalid_answer';
  }

  /** Takes note of a stored event, and tells which request it ended. */
  apply(event: SessionEvent): Resolution | undefined {
    const { id, source, type, sender = 'worker' } = event;
    const payload = objectOf(event.payload);
    if (type === 'control_request') {
      const requestId = idOf(payload['request_id']);
      if (requestId === undefined) return undefined;
      this.#answered.delete(keyOf(source, requestId));
      const { subtype } = objectOf(payload['request']);
      this.#open[source].set(requestId, { eventId: id, isPermission: subtype === 'can_use_tool' });
      return undefined;
    }
    const isAnswer = type === 'control_response';
    if (!isAnswer && type !== 'control_cancel_request') return undefined;
    const requestId = isAnswer ? answeredId(payload['response']) : idOf(payload['request_id']);
    if (requestId === undefined) return undefined;
    // One side answers what the other asked, and takes back what it asked itself.
    const asker = isAnswer === (source === 'client') ? 'worker' : 'client';
    this.#remember(keyOf(asker, requestId), id);
    if (!this.#open[asker].delete(requestId)) return undefined;
    return { requestId, by: sender, outcome: isAnswer ? 'answered' : 'cancelled' };
  }

  #remember(key: string, eventId: string): void {
    if (!this.#answered.has(key)) this.#answered.set(key, eventId);
    for (const oldest of this.#answered.keys()) {
      if (this.#answered.size <= MAX_REMEMBERED_ANSWERS) break;
      this.#answered.delete(oldest);
      this.#hasForgotten = true;
    }
  }
}

function keyOf(asker: Source, requestId: string): string {
  return `${asker}:${requestId}`;
}

function answeredId(response: unknown): string | undefined {
  const { subtype, request_id } = objectOf(response);
  return subtype === 'success' || subtype === 'error' ? idOf(request_id) : undefined;
}

/** A permission is given by an explicit answer only: what says neither allow nor deny must not take the place of one that does. */
function isDecision(response: unknown): boolean {
  const { subtype, response: answer } = objectOf(response);
  return subtype === 'error' || (isObject(answer) && (answer['behavior'] === 'allow' || answer['behavior'] === 'deny'));
}

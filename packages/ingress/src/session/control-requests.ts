import { isObject, objectOf, stringOf } from '../json.ts';
import type { SessionEvent, Source } from './session-event.ts';

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

/** Why an answer has no effect. */
export type Refusal = 'already_resolved' | 'invalid_answer';

/** What of this state is stored. */
export interface ControlRequestsState {
  readonly open: readonly (readonly [string, SessionEvent])[];
  readonly answered: readonly (readonly [string, string])[];
  readonly hasForgotten?: boolean;
}

/**
 * The control requests of a session, of both sides. States of one: unknown -> open (a `control_request` was stored) -> resolved (the
 * first valid `control_response` of the other side, or a `control_cancel_request` of its own side). A new event under an old id is a
 * new request: an agent that starts again may count from the beginning.
 */
export class ControlRequests {
  /** By asking side and id: neither side can hide a request of the other behind one of its own. */
  readonly #open: Map<string, SessionEvent>;
  /** By the same, the id of the event that answered. The oldest are forgotten. */
  readonly #answered: Map<string, string>;
  #hasForgotten: boolean;

  constructor(state: ControlRequestsState = { open: [], answered: [] }) {
    this.#open = new Map(state.open);
    this.#answered = new Map(state.answered);
    this.#hasForgotten = state.hasForgotten === true;
  }

  get state(): ControlRequestsState {
    return { open: [...this.#open], answered: [...this.#answered], hasForgotten: this.#hasForgotten };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Whether this event is what is asked under its id, and nobody has answered. */
  isOpen(asker: Source, requestId: string | undefined, eventId: string): boolean {
    return this.#open.get(keyOf(asker, requestId))?.id === eventId;
  }

  /** Why an answer of a viewer must not reach the worker; undefined where it may. Looking changes nothing. */
  refusalOf(eventId: string, payload: unknown): Refusal | undefined {
    const { response } = objectOf(payload);
    const requestId = answeredId(response);
    if (requestId === undefined) return 'invalid_answer';
    const key = keyOf('worker', requestId);
    const winner = this.#answered.get(key);
    // The winner itself, sent again because the reply to it was lost, is no second answer.
    if (winner !== undefined) return winner === eventId ? undefined : 'already_resolved';
    const asked = this.#open.get(key);
    // It may be one of those that are forgotten.
    if (asked === undefined && this.#hasForgotten) return 'already_resolved';
    return isAnswerTo(objectOf(asked?.payload['request'])['subtype'], response) ? undefined : 'invalid_answer';
  }

  /** Takes note of a stored event, and tells which request it ended. */
  apply(event: SessionEvent): Resolution | undefined {
    const { id, source, type, sender = 'worker' } = event;
    const payload = objectOf(event.payload);
    if (type === 'control_request') {
      const requestId = stringOf(payload['request_id']);
      const key = keyOf(source, requestId);
      if (requestId === undefined) return undefined;
      this.#answered.delete(key);
      this.#open.set(key, event);
      return undefined;
    }
    const isAnswer = type === 'control_response';
    if (!isAnswer && type !== 'control_cancel_request') return undefined;
    const requestId = isAnswer ? answeredId(payload['response']) : stringOf(payload['request_id']);
    if (requestId === undefined) return undefined;
    // One side answers what the other asked, and takes back what it asked itself.
    const key = keyOf(isAnswer === (source === 'client') ? 'worker' : 'client', requestId);
    this.#remember(key, id);
    if (!this.#open.delete(key)) return undefined;
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

function keyOf(asker: Source, requestId: string | undefined): string {
  return `${asker}:${requestId}`;
}

function answeredId(response: unknown): string | undefined {
  const { subtype, request_id } = objectOf(response);
  return subtype === 'success' || subtype === 'error' ? stringOf(request_id) : undefined;
}

/** A permission is given by an explicit answer only: what says neither allow nor deny must not take the place of one that does. */
function isAnswerTo(subtype: unknown, response: unknown): boolean {
  const { subtype: outcome, response: answer } = objectOf(response);
  if (subtype !== 'can_use_tool' || outcome === 'error') return true;
  return isObject(answer) && (answer['behavior'] === 'allow' || answer['behavior'] === 'deny');
}

import type { JsonObject } from '../json/values.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { liveFrame, withRequestId } from '../stream/stream-format.ts';
import type { Resolution } from './control-requests.ts';
import type { Entry } from './entry.ts';
import type { Sender } from './sender.ts';
import { type SessionEvent, sessionEventOf } from './session-event.ts';
import type { SessionQuestions } from './session-questions.ts';
import type { SessionState } from './session-state.ts';
import type { Subscribers } from './subscribers.ts';

/** Updates the state of a session with each event, and then sends the event to the subscribers. */
export class SessionNews {
  readonly #subscribers: Subscribers;
  readonly #state: SessionState;
  readonly #now: () => number;
  readonly #questions: SessionQuestions | undefined;

  constructor(subscribers: Subscribers, state: SessionState, now: () => number, questions?: SessionQuestions) {
    this.#questions = questions;
    this.#subscribers = subscribers;
    this.#state = state;
    this.#now = now;
  }

  publishStored(stored: StoredEvent, payload: JsonObject): void {
    const event = sessionEventOf(stored, payload);
    const resolution = this.#state.apply(event, stored.payload);
    const readable = withRequestId(stored, payload);
    const endsRequest = resolution?.asker === 'worker';
    this.#subscribers.push(endsRequest ? { ...readable, endsRequest } : readable);
    this.#publishResolved(resolution, true);
    this.#questions?.onEvent(event, resolution);
  }

  /** Publishes a message that is not stored. An ephemeral request is still opened, and an ephemeral answer still resolves its request. */
  publishEphemeral({ id, type, payload, text }: Entry, sender: Sender): void {
    const createdAt = this.#now();
    const { source } = sender;
    const event: SessionEvent = {
      sequence: this.#state.last,
      id,
      type,
      source,
      sender: sender.source === 'client' ? sender.name : undefined,
      payload,
      createdAt,
      isKept: false,
      isForWorker: source === 'client',
    };
    const resolution = this.#state.apply(event, text);
    const created_at = new Date(createdAt).toISOString();
    this.#subscribers.sendToViewers(liveFrame('ephemeral_event', { event_type: type, source, created_at }, text));
    this.#publishResolved(resolution, false);
    this.#questions?.onEvent(event, resolution);
  }

  /** Informs viewers how far the worker has processed clients' events. */
  publishDelivery(updates: readonly JsonObject[]): void {
    for (const { event_id, status } of updates) {
      const timestamp = new Date(this.#now()).toISOString();
      const data = { event_id, status: `DELIVERY_STATUS_${String(status).toUpperCase()}`, timestamp };
      this.#subscribers.sendToViewers(liveFrame('delivery_update', data));
    }
  }

  #publishResolved(resolution: Resolution | undefined, isOfStored: boolean): void {
    // A viewer would mistake the id for the id of a worker's request. For clients' requests, viewers receive the worker's answer itself.
    if (resolution?.asker !== 'worker') return;
    const { requestId, by, outcome } = resolution;
    const frame = liveFrame('control_resolved', { request_id: requestId, by, outcome });
    this.#subscribers.sendToViewers({ ...frame, isOfStored });
  }
}

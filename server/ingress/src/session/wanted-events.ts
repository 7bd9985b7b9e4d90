import type { StoredEvent } from '../log/event-log.ts';
import type { Wants } from '../stream/event-reader.ts';
import { isAnswerOfClient, resolutionBy } from '../stream/stream-format.ts';
import type { SessionState } from './session-state.ts';

/** Which events viewers receive: all events except the worker's requests that are settled. */
export function wantedByViewers({ requests }: SessionState): Wants {
  return ({ id, type, source, requestId }) =>
    type !== 'control_request' || source !== 'worker' || requests.isOpen('worker', requestId, id);
}

/** Which events ended a request of the worker. A stored answer of a client always did, and a cancel of the worker may have come too late. */
export function endingRequests({ requests }: SessionState): (event: StoredEvent) => boolean {
  return (event) => isAnswerOfClient(event) || requests.isEndedBy(resolutionBy(event)?.request_id, event.id);
}

/** Returns `wants`, changed so that it refuses the events for which `skips` returns true. */
export function unlessSkipped(wants: Wants, skips: ((event: StoredEvent) => boolean) | undefined): Wants {
  return skips === undefined ? wants : (event) => !skips(event) && wants(event);
}

/**
 * Which events the worker receives: what clients sent, without settled requests. A worker without a cursor receives only events that no worker has
 * processed yet.
 */
export function wantedByWorker({ requests, delivery }: SessionState, cursor: number): Wants {
  const isFresh = cursor === 0;
  return ({ id, type, source, requestId }) => {
    if (source === 'worker') return false;
    if (type === 'control_request') return requests.isOpen('client', requestId, id);
    return !isFresh || delivery.isWaiting(id);
  };
}

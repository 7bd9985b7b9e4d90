import { requestIdOf } from '@proto/core/internal';
import type { StoredEvent } from '../log/event-log.ts';
import { idOf } from '../session/id.ts';
import { payloadOf } from '../session/session-event.ts';

/** A stored event whose message is known to be JSON, so that it can be said to readers. */
export interface ReadableEvent extends StoredEvent {
  /** The id of the request that it asks; absent for anything else. */
  readonly requestId?: string | undefined;
}

/** A stored event as readers get it; undefined where its text is no message, which nobody is sent. */
export function readableEvent(stored: StoredEvent): ReadableEvent | undefined {
  const payload = payloadOf(stored);
  if (payload === undefined) return undefined;
  return stored.type === 'control_request' ? { ...stored, requestId: idOf(requestIdOf(payload)) } : stored;
}

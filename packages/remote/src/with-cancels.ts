import { incomingOf, mapIncoming } from '@proto/core/internal';
import type { Incoming, Transport } from '@proto/core/transport';

/**
 * Turns the notice that somebody else has answered a request into a cancel of that request, for a host that reads lines: a line cannot hold a
 * notice. A cancel of a request that is over, or that the host never got, does nothing.
 */
export function withCancels(session: Transport): Transport {
  return mapIncoming(session, (item) => [asCancel(item)]);
}

function asCancel(item: Incoming): Incoming {
  if (item.kind !== 'notice' || item.event !== 'control_resolved') return item;
  const { request_id, outcome } = Object(item.data) as Readonly<Record<string, unknown>>;
  // A request that the agent has taken back has its cancel already.
  if (typeof request_id !== 'string' || outcome !== 'answered') return item;
  return incomingOf({ type: 'control_cancel_request', request_id }, item);
}

import type { Incoming, Transport } from '@proto/core/transport';
import { incomingOf } from './incoming-of.ts';
import { mapIncoming } from './map-incoming.ts';

/**
 * A session of a server, for a host that reads lines: there is no line for news, so what somebody else has answered is taken back, as
 * the agent takes it back. To a request that is over, or was never asked there, a cancel does nothing.
 */
export function withCancels(session: Transport): Transport {
  return mapIncoming(session, (item) => [asCancel(item)]);
}

function asCancel(item: Incoming): Incoming {
  if (item.kind !== 'notice' || item.event !== 'control_resolved') return item;
  const { request_id, outcome } = Object(item.data) as Readonly<Record<string, unknown>>;
  // What the agent has taken back it has said itself.
  if (typeof request_id !== 'string' || outcome !== 'answered') return item;
  const { cursor } = item;
  return incomingOf({ type: 'control_cancel_request', request_id }, cursor === undefined ? {} : { cursor });
}

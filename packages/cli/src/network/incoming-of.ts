import type { WireMessage } from '@proto/core';
import { encodeLine } from '@proto/core/framing';
import { type IncomingMessage, incomingMessage } from '@proto/core/transport';

/** A message as it would have come in; in place of another one where that is given. */
export function incomingOf(message: WireMessage, { cursor, source }: Partial<IncomingMessage> = {}): IncomingMessage {
  const place = { ...(cursor !== undefined && { cursor }), ...(source !== undefined && { source }) };
  return incomingMessage(encodeLine(message).trimEnd(), place);
}

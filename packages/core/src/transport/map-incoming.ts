import { encodeLine } from '../framing/encode-line.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import { incomingMessage } from './incoming.ts';
import type { Incoming, IncomingMessage, Transport } from './transport.ts';
import { wrapTransport } from './wrap-transport.ts';

/**
 * Passes each item of a transport through a function on its way to the reader. Everything else of the transport stays as it is.
 * `onEnd` is called when there are no more items.
 */
export function mapIncoming(
  transport: Transport,
  map: (item: Incoming) => readonly Incoming[],
  onEnd: () => void = () => {},
): Transport {
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    for await (const items of transport.incoming) yield items.flatMap(map);
    onEnd();
  }
  return wrapTransport(transport, { incoming: incoming() });
}

/** Creates the incoming message that a reader sees for `message`. It takes the cursor and the source of the message that it replaces. */
export function incomingOf(
  message: WireMessage,
  { cursor, source }: Partial<Pick<IncomingMessage, 'cursor' | 'source'>> = {},
): IncomingMessage {
  const place = { ...(cursor !== undefined && { cursor }), ...(source !== undefined && { source }) };
  return incomingMessage(encodeLine(message).trimEnd(), place);
}

import { encodeLine, type WireMessage } from '../framing/json-line.ts';
import { incomingMessage } from './lines/incoming.ts';
import type { TransportExtensions } from './transport-extensions.ts';
import type { Incoming, IncomingMessage, Transport } from './transport.ts';

type Members = Transport & TransportExtensions;

/**
 * Wraps a transport: the given members replace the transport's members, and all other members are passed through. As long as the transport is
 * resumable, watchable or otherwise extended, so is the wrapper, unless the member for this extension is replaced.
 */
export function wrapTransport(transport: Members, members: Partial<Members>): Transport {
  const own = {
    get name() {
      return transport.name;
    },
    get hasMessageIds() {
      return transport.hasMessageIds;
    },
    get opened() {
      return transport.opened;
    },
    get closed() {
      return transport.closed;
    },
    get incoming() {
      return transport.incoming;
    },
    get resumption() {
      return transport.resumption;
    },
    get unacknowledged() {
      return transport.unacknowledged;
    },
    get worker() {
      return transport.worker;
    },
    get liveness() {
      return transport.liveness;
    },
    send: (batch, options) => transport.send(batch, options),
    flush: (options) => transport.flush(options),
    end: () => transport.end(),
    close: () => transport.close(),
    abort: (reason) => transport.abort(reason),
    [Symbol.asyncDispose]() {
      return this.close();
    },
    // `satisfies` makes the compiler require each member, including members that are added to the contract later.
  } satisfies Transport & Record<keyof Members, unknown>;
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(members));
}

/**
 * Passes each item of a transport through a function before the reader receives it. All other members of the transport stay unchanged. `onEnd` is
 * called when there are no more items.
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

/** Creates the incoming message that a reader receives in place of `message`, with the same cursor and source. */
export function incomingOf(
  message: WireMessage,
  { cursor, source }: Partial<Pick<IncomingMessage, 'cursor' | 'source'>> = {},
): IncomingMessage {
  const place = { ...(cursor !== undefined && { cursor }), ...(source !== undefined && { source }) };
  return incomingMessage(encodeLine(message).trimEnd(), place);
}

import type { Incoming, Resumption, Transport } from '@proto/core/transport';

/** A transport as it is, but for what is read from it, and who hears that it was read. */
export function withIncoming(
  transport: Transport,
  incoming: AsyncIterable<readonly Incoming[]>,
  resumption: Resumption | undefined = transport.resumption,
): Transport {
  return {
    name: transport.name,
    identifies: transport.identifies,
    opened: transport.opened,
    closed: transport.closed,
    incoming,
    resumption,
    send: (batch, options) => transport.send(batch, options),
    flush: (options) => transport.flush(options),
    end: () => transport.end(),
    close: () => transport.close(),
    abort: (reason) => transport.abort(reason),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

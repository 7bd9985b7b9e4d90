import { type Incoming, type Transport, wrapTransport } from '@proto/core/transport';

/** A transport as it is, but that each item goes through a function on its way to the reader. `onEnd` hears that there are no more. */
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

import type { Incoming, Transport } from '@proto/core/transport';
import { withIncoming } from '../network/with-incoming.ts';

/** A transport as it is; each item is shown on its way to the reader. */
export function counted(transport: Transport, onItem: (item: Incoming) => void): Transport {
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    for await (const items of transport.incoming) {
      items.forEach(onItem);
      yield items;
    }
  }
  return withIncoming(transport, incoming());
}

import type { Incoming, Transport } from '@proto/core/transport';
import { mapIncoming } from '@proto/core/internal';

/** A transport as it is; each item is shown on its way to the reader. */
export function counted(transport: Transport, onItem: (item: Incoming) => void): Transport {
  return mapIncoming(transport, (item) => {
    onItem(item);
    return [item];
  });
}

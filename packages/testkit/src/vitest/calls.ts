import type { SendOptions } from '@proto/core/internal';
import type { Batch, Transport } from '@proto/core/transport';

/**
 * `send` and `flush` as the cases call them: where a case fails before it gets to a call that fails as well, the call is no
 * second failure.
 */
export function send(transport: Transport, batch: Batch, options?: SendOptions): Promise<void> {
  return noted(transport.send(batch, options));
}

/** See `send`. */
export function flush(transport: Transport, options?: SendOptions): Promise<void> {
  return noted(transport.flush(options));
}

function noted(call: Promise<void>): Promise<void> {
  call.catch(() => {});
  return call;
}

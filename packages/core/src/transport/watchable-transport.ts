import type { Transport } from './transport.ts';

/** What tells a peer that is silent from a peer that is in the middle of a long message. */
export interface Liveness {
  /** When anything last arrived, on the clock of `performance.now()`. */
  readonly lastByteAt: number | undefined;
  /** True while the consumer is behind and nothing is read: the silence is this side's own. */
  readonly isPaused: boolean;
}

/** A transport that knows when it last heard of its peer. Every transport of `defineTransport` is one. */
export interface WatchableTransport extends Transport {
  readonly liveness: Liveness;
}

/** Whether a transport knows when it last heard of its peer. */
export function isWatchable(transport: Transport): transport is WatchableTransport {
  return (transport as Partial<WatchableTransport>).liveness !== undefined;
}

import type { TransportOptions } from '@proto/core/transport';
import type { LinkOptions } from './socket-link.ts';

/** What a socket may hold of what was sent to it, before `send` stays pending. */
export const DEFAULT_MAX_BUFFERED_BYTES = 1024 * 1024;
/** What may come in while nobody reads, over a socket that cannot stop reading. Above it the transport ends with `overflow`. */
export const DEFAULT_MAX_UNREAD_BYTES = 256 * 1024 * 1024;

/** What every WebSocket transport takes. */
export interface LinkDriverOptions extends LinkOptions, Pick<TransportOptions, 'maxIncomingBytes'> {
  /** Default `DEFAULT_MAX_BUFFERED_BYTES`. */
  readonly maxBufferedBytes?: number;
  /** Default `DEFAULT_MAX_UNREAD_BYTES`. */
  readonly maxUnreadBytes?: number;
  /** Kept until the other side has it; above it `send` stays pending. Default `DEFAULT_MAX_REPLAY_BYTES` of `@proto/core/transport`. */
  readonly maxReplayBytes?: number;
  /** Default false: without the resumable mode each frame has one line, which any peer understands. With it, a frame has a batch. */
  readonly batchFrames?: boolean;
}

import type { TransportOptions } from '@proto/core/transport';
import type { LinkOptions } from './socket/socket-link.ts';

/** What may come in while nobody reads, over a socket that cannot stop reading, before the transport ends with `overflow`: 256 MiB. */
export const DEFAULT_FAIL_ABOVE_BYTES = 256 * 1024 * 1024;

/** What every WebSocket transport takes. */
export interface ConnectionOptions extends LinkOptions, Pick<TransportOptions, 'maxIncomingBytes'> {
  /** How much a socket may hold of what was sent before `send` stays pending. Default 1 MiB. */
  readonly maxBufferedBytes?: number;
  /** How much may come while nobody reads, over a socket that cannot stop reading, before the transport ends with `overflow`. Default 256 MiB. */
  readonly failAboveBytes?: number;
  /** How much is kept until the other side has it, before `send` stays pending. Default 64 MiB. */
  readonly maxReplayBytes?: number;
  /** Whether plain lines are sent a batch to a frame. Default false: each frame has one line, which any peer understands. */
  readonly batchFrames?: boolean;
}

import type { TransportOptions } from '@proto/core/transport';
import type { LinkOptions } from './socket/socket-link.ts';

/** The default of `failAboveBytes`: 256 MiB may wait for the reader on a socket that cannot stop reading. */
export const DEFAULT_FAIL_ABOVE_BYTES = 256 * 1024 * 1024;

/** The options of every WebSocket transport. */
export interface ConnectionOptions extends LinkOptions, Pick<TransportOptions, 'maxIncomingBytes'> {
  /** The maximum number of bytes that a socket may buffer before `send` stays pending. Default 1 MiB. */
  readonly maxBufferedBytes?: number;
  /**
   * How many bytes may wait for the reader before the transport ends with `overflow`. Applies only to a socket that cannot stop reading. Default 256
   * MiB.
   */
  readonly failAboveBytes?: number;
  /** The maximum number of bytes that are kept for resending before `send` stays pending. Default 64 MiB. */
  readonly maxReplayBytes?: number;
  /** Whether one frame contains all plain lines of a batch. Default false: each frame contains one line, which any peer understands. */
  readonly batchFrames?: boolean;
}

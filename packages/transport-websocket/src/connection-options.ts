import type { TransportOptions } from '@proto/core/transport';
import type { LinkOptions } from './socket/socket-link.ts';

/** The most bytes that wait for the reader, on a socket that cannot stop reading, before the transport ends with `overflow`: 256 MiB. */
export const DEFAULT_FAIL_ABOVE_BYTES = 256 * 1024 * 1024;

/** The options of every WebSocket transport. */
export interface ConnectionOptions extends LinkOptions, Pick<TransportOptions, 'maxIncomingBytes'> {
  /** The most bytes that a socket may buffer before `send` stays pending. Default 1 MiB. */
  readonly maxBufferedBytes?: number;
  /** The most bytes that wait for the reader, on a socket that cannot stop reading, before the transport ends with `overflow`. Default 256 MiB. */
  readonly failAboveBytes?: number;
  /** The most bytes that are kept for resending before `send` stays pending. Default 64 MiB. */
  readonly maxReplayBytes?: number;
  /** Whether a frame has all plain lines of a batch. Default false: each frame has one line, which any peer understands. */
  readonly batchFrames?: boolean;
}

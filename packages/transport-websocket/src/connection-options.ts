import type { Cursor, TransportOptions } from '@proto/core/transport';
import type { DetectedCodecs } from './codec/codec-detection.ts';
import type { Codec, CodecEvents } from './codec/codec.ts';
import type { LinkEnd, LinkOptions, SocketLink } from './socket/socket-link.ts';

/** What a socket may hold of what was sent before `send` stays pending: 1 MiB. */
export const DEFAULT_MAX_BUFFERED_BYTES = 1024 * 1024;
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

/** How a new connection begins. */
export interface ConnectionBeginning {
  /** Whether messages are kept for another link. False if the connection ends with its first socket. */
  readonly retains: boolean;
  /** What an earlier process had acknowledged. */
  readonly cursor?: Cursor | undefined;
}

/** How a socket becomes a link. */
export interface AttachOptions {
  /** The frame to send before all others. */
  readonly firstFrame?: string | undefined;
  /** Makes the codec, if the server chose `sjp.v1` and may not know it. Default: the resumable codec. */
  readonly detectCodec?: ((link: SocketLink, events: CodecEvents, codecs: DetectedCodecs) => Codec) | undefined;
}

/** What a connection tells the transport that gives it its sockets. */
export interface ConnectionEvents {
  /** Messages can be sent. `resumed` is true if no message of the other side can be missing. May be told again on a link that is up. */
  onUp(resumed: boolean): void;
  /** The link is gone, or did not come up. The connection waits for another socket, or for its release. */
  onDown(end: LinkEnd, wasUp: boolean): void;
  /** The other side acknowledged messages, or sent some. */
  onProgress?(): void;
  /** The first line of the other side showed its codec. */
  onDetected?(codec: 'plain' | 'resumable'): void;
  /** The connection is over. Told once. */
  onRelease?(): void;
}

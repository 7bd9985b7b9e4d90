import type { Line } from '@proto/core/framing';
import type { Codec, Connection } from '@proto/core/reconnect';
import type { LinkEnd } from '../socket/socket-link.ts';

/** How messages travel over one socket: what is sent becomes frames, and the lines of frames become items. */
export interface SocketCodec extends Codec<LinkEnd> {
  onLines(lines: readonly Line[]): void;
  /** Says something while nothing else is said. */
  onBeat(): void;
  /** The other side answered the ping with this mark. */
  onDelivered?(mark: number): void;
}

/** The connection whose messages a codec carries. */
export type Carried = Connection<LinkEnd>;

/** An acknowledgement is asked for, or sent, after so many bytes, so that the other side need not keep more while the link is idle. */
export const ACK_BYTES: number = 64 * 1024;

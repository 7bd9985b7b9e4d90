import type { Line } from '@proto/core/framing';
import type { Codec, Connection } from '@proto/core/reconnect';
import type { LinkEnd } from '../socket/socket-link.ts';

export interface SocketCodec extends Codec<LinkEnd> {
  onLines(lines: readonly Line[]): void;
  /** Called at each beat, to send something on an idle link. */
  onBeat(): void;
  /** Called when the other side has answered the ping that carried this mark. */
  onDelivered?(mark: number): void;
}

export type Carried = Connection<LinkEnd>;

/**
 * The number of bytes after which an acknowledgement is requested or sent. This limits how many bytes the other side must keep while the link is
 * idle.
 */
export const ACK_BYTES: number = 64 * 1024;

import type { SocketLike } from './socket.ts';

/** A socket that can keep frames back, to hand over many of them in one write. */
export type CorkableSocket = Required<Pick<SocketLike, 'cork' | 'uncork'>>;

/** A socket of `ws`, as far as its frames are concerned. */
export interface FrameSource {
  on(event: 'message', listener: (frame: Uint8Array) => void): unknown;
}

/** A longer frame is handed over as bytes: to look at the units of a text of 32 MB holds up everything else for half a second. */
const LONG_FRAME_BYTES = 64 * 1024;

/**
 * Gives a socket of `ws` the connection that was upgraded for it, which `ws` keeps to itself. Without it every frame is a write of its
 * own, which is half of what it costs to send a small message (measured). Long frames come as bytes then.
 */
export function withConnection<Socket extends FrameSource>(
  socket: Socket,
  connection: CorkableSocket,
): Socket & CorkableSocket & Required<Pick<SocketLike, 'onFrame'>> {
  return Object.assign(socket, {
    cork: () => connection.cork(),
    uncork: () => connection.uncork(),
    onFrame(listener: (frame: string | Uint8Array) => void) {
      // By the method of the frame, which knows its encoding, and is quicker than a decoder for what is short.
      socket.on('message', (frame) => listener(frame.length > LONG_FRAME_BYTES ? frame : frame.toString()));
    },
  });
}

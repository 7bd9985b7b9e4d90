import type { SocketLike } from './socket.ts';

/** A socket that can hold frames back, to write many of them at once. */
export type CorkableSocket = Required<Pick<SocketLike, 'cork' | 'uncork'>>;

/** A socket of `ws`, as far as its frames are concerned. */
export interface FrameSource {
  on(event: 'message', listener: (frame: Uint8Array) => void): unknown;
}

/** A longer frame is handed over as bytes: to walk the characters of a text of 32 MB blocks the process for half a second. */
const LONG_FRAME_BYTES = 64 * 1024;

/**
 * Gives a socket of `ws` the connection that was upgraded for it, which `ws` does not expose. Without it every frame is a write of its
 * own, and that write is half the cost of a small message (measured). With it, frames above 64 KiB come as bytes.
 */
export function withConnection<Socket extends FrameSource>(
  socket: Socket,
  connection: CorkableSocket,
): Socket & CorkableSocket & Required<Pick<SocketLike, 'onFrame'>> {
  return Object.assign(socket, {
    cork: () => connection.cork(),
    uncork: () => connection.uncork(),
    onFrame(listener: (frame: string | Uint8Array) => void) {
      // `toString` of a short frame is faster than a decoder.
      socket.on('message', (frame) => listener(frame.length > LONG_FRAME_BYTES ? frame : frame.toString()));
    },
  });
}

import type { SocketLike } from './socket.ts';

/** A socket that can hold frames back, to write many of them at once. */
export type CorkableSocket = Required<Pick<SocketLike, 'cork' | 'uncork'>>;

/** A socket of `ws`, as far as its frames are concerned. */
export interface FrameSource {
  on(event: 'message', listener: (frame: Uint8Array | ArrayBuffer) => void): unknown;
}

/** A longer frame is handed over as bytes: to walk the characters of a text of 32 MB blocks the process for half a second. */
const LONG_FRAME_BYTES = 64 * 1024;

/**
 * Gives a socket of `ws` the connection that was upgraded for it, which `ws` does not expose. Without it every frame is a write of its
 * own, and that write is half the cost of a small message (measured). With it, frames above 64 KiB come as bytes.
 */
export function withCorking<Socket extends FrameSource>(
  socket: Socket,
  connection: CorkableSocket,
): Socket & CorkableSocket & Required<Pick<SocketLike, 'onFrame'>> {
  return Object.assign(withFrames(socket), { [CONNECTION]: connection, cork, uncork });
}

// Functions of all sockets: closures would take 250 bytes of each idle socket.
const CONNECTION = Symbol('connection');

function cork(this: { readonly [CONNECTION]?: CorkableSocket }): void {
  this[CONNECTION]?.cork();
}

function uncork(this: { readonly [CONNECTION]?: CorkableSocket }): void {
  this[CONNECTION]?.uncork();
}

/**
 * Makes a socket of `ws` tell its frames, those above 64 KiB as bytes. A socket that is still being opened needs it before its connection is
 * there: a transport adds its listeners at once. A message of 60 MB to a client costs twice its JSON that way, as a text 3.4 times.
 */
export function withFrames<Socket extends FrameSource>(socket: Socket): Socket & Required<Pick<SocketLike, 'onFrame'>> {
  return Object.assign(socket, { onFrame });
}

function onFrame(this: FrameSource, listener: (frame: string | Uint8Array) => void): void {
  this.on('message', (frame) => {
    // A binary frame comes as the `binaryType` of the socket says.
    if (frame instanceof ArrayBuffer) listener(new Uint8Array(frame));
    // `toString` of a short frame is faster than a decoder.
    else listener(frame.length > LONG_FRAME_BYTES ? frame : frame.toString());
  });
}

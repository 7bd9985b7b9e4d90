import type { SocketLike } from './socket.ts';

/** A socket that can hold back frames, to write many of them at once. */
export type CorkableSocket = Required<Pick<SocketLike, 'cork' | 'uncork'>>;

/** The part of a `ws` socket that delivers frames. */
export interface FrameSource {
  on(event: 'message', listener: (frame: Uint8Array | ArrayBuffer) => void): unknown;
}

/** Frames above this length are passed as bytes, because a loop over the characters of a 32 MB text blocks the process for half a second. */
const LONG_FRAME_BYTES = 64 * 1024;

/**
 * Gives a `ws` socket access to the connection that was upgraded for it, which `ws` does not expose. Without this access, every frame is a separate
 * write, which accounts for half the cost of a small message (measured). With this access, frames above 64 KiB also arrive as bytes.
 */
export function withCorking<Socket extends FrameSource>(
  socket: Socket,
  connection: CorkableSocket,
): Socket & CorkableSocket & Required<Pick<SocketLike, 'onFrame'>> {
  return Object.assign(withFrames(socket), { [CONNECTION]: connection, cork, uncork });
}

// These functions are shared by all sockets, because closures would take 250 bytes for each idle socket.
const CONNECTION = Symbol('connection');

function cork(this: { readonly [CONNECTION]?: CorkableSocket }): void {
  this[CONNECTION]?.cork();
}

function uncork(this: { readonly [CONNECTION]?: CorkableSocket }): void {
  this[CONNECTION]?.uncork();
}

/**
 * Adds a method `onFrame`, which passes frames above 64 KiB as bytes, to a `ws` socket. A socket that is still being opened needs `onFrame` at once,
 * because a transport adds its listeners before the connection is established. A message of 60 MB to a client takes twice the memory of its JSON if
 * it is passed as bytes, and 3.4 times its memory if it is passed as text.
 */
export function withFrames<Socket extends FrameSource>(socket: Socket): Socket & Required<Pick<SocketLike, 'onFrame'>> {
  return Object.assign(socket, { onFrame });
}

function onFrame(this: FrameSource, listener: (frame: string | Uint8Array) => void): void {
  this.on('message', (frame) => {
    // The `binaryType` of the socket determines the form of a binary frame.
    if (frame instanceof ArrayBuffer) listener(new Uint8Array(frame));
    // `toString` of a short frame is faster than a decoder.
    else listener(frame.length > LONG_FRAME_BYTES ? frame : frame.toString());
  });
}

import type { Socket } from 'node:net';

/**
 * Ends a connection with a TCP reset, also one whose end is being sent. While that end is under way, libuv refuses the reset (EINVAL), and Node then
 * keeps the connection open although `destroyed` is true: the other side sees no reset, and the process spins at its exit for ever (seen with 20.20.2).
 */
export function resetSocket(socket: Socket): void {
  // The end is sent when all bytes were written, and has been sent at `finish`, one turn of the event loop later.
  const isEndUnderWay = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (isEndUnderWay) socket.once('finish', () => socket.resetAndDestroy());
  else socket.resetAndDestroy();
}

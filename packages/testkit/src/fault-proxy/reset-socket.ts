import type { Socket } from 'node:net';

/**
 * Ends a connection with a TCP reset, also while its end (FIN) is being sent. During that time libuv refuses the reset (EINVAL), and Node keeps the
 * connection open although `destroyed` is true: the other side sees no reset, and the process uses the CPU for ever at its exit (seen with 20.20.2).
 */
export function resetSocket(socket: Socket): void {
  // The end begins when all bytes are written. It has been sent at `finish`, one turn of the event loop later.
  const isEndUnderWay = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (isEndUnderWay) socket.once('finish', () => socket.resetAndDestroy());
  else socket.resetAndDestroy();
}

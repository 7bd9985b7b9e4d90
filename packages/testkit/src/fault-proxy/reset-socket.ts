import type { Socket } from 'node:net';

/**
 * Ends a connection with a TCP reset, even while the end of the connection (FIN) is being sent. During this time, libuv refuses the reset (EINVAL),
 * and Node keeps the connection open although `destroyed` is `true`. The other side then sees no reset, and the process hangs at exit, using the CPU
 * (seen in Node 20.20.2).
 */
export function resetSocket(socket: Socket): void {
  // The end begins when all bytes are written. One turn of the event loop later, Node emits `finish`: the end has been sent by then.
  const isEndUnderWay = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (isEndUnderWay) socket.once('finish', () => socket.resetAndDestroy());
  else socket.resetAndDestroy();
}

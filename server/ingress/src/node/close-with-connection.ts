import type { ServerResponse } from 'node:http';

/**
 * Emits `close` on an answer when its connection closes, also while the answer waits for an earlier one of the same connection: Node closes only the
 * answer that is being written. Without it, what a client has asked for and left would go on.
 */
export function closeWithConnection(outgoing: ServerResponse): void {
  // An answer that is being written has its socket.
  if (outgoing.socket !== null) return;
  const { socket } = outgoing.req;
  const close = () => {
    if (!outgoing.closed) outgoing.emit('close');
  };
  // Any number of answers may wait.
  socket.setMaxListeners(0).once('close', close);
  outgoing.once('close', () => socket.off('close', close));
}

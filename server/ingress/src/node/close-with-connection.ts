import type { ServerResponse } from 'node:http';

/**
 * Emits `close` on an answer when its connection closes, even while the answer waits for an earlier answer on the same connection. Node closes only
 * the answer that is being written. Without this, the work for a client that has disconnected would continue.
 */
export function closeWithConnection(outgoing: ServerResponse): void {
  // Node assigns the socket to an answer that is being written, and emits its `close` itself.
  if (outgoing.socket !== null) return;
  const { socket } = outgoing.req;
  const close = () => {
    if (!outgoing.closed) outgoing.emit('close');
  };
  // Any number of answers may wait.
  socket.setMaxListeners(0).once('close', close);
  outgoing.once('close', () => socket.off('close', close));
}

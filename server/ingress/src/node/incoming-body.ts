import type { IncomingMessage } from 'node:http';
import type { BodyChunks } from '../http/body-text.ts';

/** How long the rest of a body may take whose answer was sent, and how much of it is read: the client may write all of it before it reads. */
const DRAIN_MS = 500;
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

/** The body of a request, with one promise for all of it: the iterator of the stream costs many times as much for a body of one chunk. */
export function chunksOf(incoming: IncomingMessage): BodyChunks {
  return (take) =>
    new Promise((resolve, reject) => {
      const stop = (error: unknown) => {
        incoming.off('data', read).pause();
        reject(error);
      };
      const read = (chunk: Uint8Array) => {
        try {
          take(chunk);
        } catch (error) {
          stop(error);
        }
      };
      const leave = () => !incoming.readableEnded && stop(new Error('the client has left'));
      const left = incoming.destroyed && restOf(incoming);
      if (left instanceof Uint8Array) read(left);
      else if (incoming.destroyed) leave();
      else return void incoming.on('data', read).on('end', resolve).on('error', leave).on('close', leave);
      resolve();
    });
}

/** The body of a client that has left and has sent all of it before, which then still counts. */
function restOf(incoming: IncomingMessage): unknown {
  return incoming.complete && !incoming.readableDidRead && incoming.read();
}

/** Reads and drops the rest of a body that was answered early, so that the client can read the answer. Ends the connection if the rest is long. */
export function drainBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  const end = () => incoming.socket.destroySoon();
  const timer = setTimeout(end, DRAIN_MS);
  timer.unref();
  incoming.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAIN_BYTES) end();
  });
  incoming.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  incoming.resume();
}

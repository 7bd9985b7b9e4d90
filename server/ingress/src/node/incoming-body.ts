import type { IncomingMessage } from 'node:http';
import type { BodyChunks } from '../http/body-text.ts';

/**
 * How long the remaining request body may take after an early answer, how long the client may pause, and how much of the body is read. A client may
 * write its whole body before it reads the answer.
 */
const [DRAIN_MS, PAUSE_MS] = [30_000, 2000];
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

/** Reads the body of a request with a single promise. For a body of one chunk, the stream's iterator would cost many times as much. */
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
      const leave = () => !incoming.readableEnded && stop(new Error('the client has disconnected'));
      const left = incoming.destroyed && restOf(incoming);
      if (left instanceof Uint8Array) read(left);
      else if (incoming.destroyed) leave();
      else return void incoming.on('data', read).on('end', resolve).on('error', leave).on('close', leave);
      resolve();
    });
}

/**
 * Reads the remaining part of a body after the client disconnected. If the client sent the whole body before it disconnected, the body still counts.
 */
function restOf(incoming: IncomingMessage): unknown {
  return incoming.complete && !incoming.readableDidRead && incoming.read();
}

/**
 * Reads and drops the remaining part of a body that was answered early, so that the client can read the answer. Closes the connection if this part is
 * too long. Calls `end` when the client has sent its body or has left: only then may the answer end, because Node may close the connection with it.
 */
export function drainBody(incoming: IncomingMessage, end: () => void = () => {}): void {
  if (incoming.readableEnded || incoming.destroyed) return end();
  let bytes = 0;
  const close = () => incoming.socket.destroySoon();
  const timers = [setTimeout(close, DRAIN_MS), setTimeout(close, PAUSE_MS)] as const;
  const [, pause] = timers;
  for (const timer of timers) timer.unref();
  incoming.on('data', (chunk: Uint8Array) => {
    pause.refresh();
    bytes += chunk.length;
    if (bytes > MAX_DRAIN_BYTES) close();
  });
  incoming.once('close', () => {
    timers.forEach((timer) => clearTimeout(timer));
    end();
  });
  incoming.once('end', end);
  incoming.resume();
}

import type { IncomingMessage } from 'node:http';

/** How long the rest of a body may take whose answer was sent, and how much of it is read: the client may write all of it before it reads. */
const DRAIN_MS = 500;
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

/**
 * The chunks of a body as they arrive; throws if the client leaves before its end. Iterate once. In place of the iterator of the stream, which costs
 * three times as much for a body of one chunk. At most one chunk waits: the stream is paused meanwhile.
 */
export function chunksOf(incoming: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => new ChunkReader(incoming) };
}

type Read = IteratorResult<Uint8Array, undefined>;

class ChunkReader implements AsyncIterator<Uint8Array, undefined> {
  readonly #incoming: IncomingMessage;
  /** What has arrived and was not read. */
  #ready: Read[] = [];
  #error: Error | undefined;
  #waiting: { readonly resolve: (read: Read) => void; readonly reject: (error: Error) => void } | undefined;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    incoming.on('data', (value: Uint8Array) => this.#arrived({ done: false, value }));
    incoming.on('end', () => this.#arrived({ done: true, value: undefined }));
    const fail = () => !incoming.readableEnded && this.#fail(new Error('the client has left'));
    incoming.on('error', fail).on('close', fail);
    if (incoming.destroyed) this.#recover(fail);
  }

  async next(): Promise<Read> {
    const read = this.#ready.shift();
    if (read !== undefined) {
      if (this.#ready.length === 0) this.#incoming.resume();
      return read;
    }
    if (this.#error !== undefined) throw this.#error;
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  #arrived(read: Read): void {
    if (this.#waiting === undefined) {
      this.#ready.push(read);
      if (read.done !== true) this.#incoming.pause();
      return;
    }
    this.#waiting.resolve(read);
    this.#waiting = undefined;
  }

  /** A client that has left may have sent its whole body, which then still counts. */
  #recover(fail: () => void): void {
    const rest: unknown = this.#incoming.complete && !this.#incoming.readableDidRead && this.#incoming.read();
    if (rest instanceof Uint8Array) this.#ready.push({ done: false, value: rest }, { done: true, value: undefined });
    else fail();
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#waiting?.reject(this.#error);
    this.#waiting = undefined;
  }
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

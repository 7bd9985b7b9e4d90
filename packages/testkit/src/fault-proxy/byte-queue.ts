import type { Socket } from 'node:net';

// If more bytes than this are waiting, the socket is paused.
const HIGH_WATER_BYTES = 1024 * 1024;

export class ByteQueue {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #fill: () => void = () => {};
  #filled: Promise<void> = this.#emptied();

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (this.#bytes >= HIGH_WATER_BYTES) socket.pause();
      this.#fill();
    });
    for (const end of ['end', 'close']) {
      socket.once(end, () => {
        this.#ended = true;
        this.#fill();
      });
    }
  }

  /** Settles when bytes are available, or after the end of the socket. */
  get filled(): Promise<void> {
    return this.#filled;
  }

  /** Returns `undefined` if the socket has ended and no bytes are left. */
  take(): Buffer | undefined {
    if (this.#bytes === 0 && this.#ended) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    if (!this.#ended) this.#filled = this.#emptied();
    this.#socket.resume();
    return bytes;
  }

  #emptied(): Promise<void> {
    return new Promise((resolve) => (this.#fill = resolve));
  }
}

/** A program's output: bytes or text from a pipe or a terminal. */
export type OutputSource = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/** Ends when the source ends or fails, or when the signal aborts. Never throws. */
export class ChunkReader {
  readonly #iterator: AsyncIterator<Uint8Array | string> | Iterator<Uint8Array | string>;
  readonly #signal: AbortSignal | undefined;
  #stop: () => void = () => {};
  readonly #onAbort = () => this.#stop();
  #failure: unknown;

  constructor(source: OutputSource, signal: AbortSignal | undefined) {
    this.#iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#signal = signal;
    // Uses one listener for the whole run instead of one listener for each chunk.
    signal?.addEventListener('abort', this.#onAbort);
  }

  get aborted(): boolean {
    return this.#signal?.aborted ?? false;
  }

  get failure(): unknown {
    return this.#failure;
  }

  async next(): Promise<Uint8Array | string | undefined> {
    if (this.aborted) return undefined;
    try {
      const next = await this.unlessAborted(this.#iterator.next());
      return next === undefined || next.done ? undefined : next.value;
    } catch (error) {
      this.#failure = error ?? new Error('reading the output failed');
      return undefined;
    }
  }

  unlessAborted<T>(promise: T | PromiseLike<T>): Promise<T | undefined> {
    if (this.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      Promise.resolve(promise).then(resolve, reject);
    });
  }

  async close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    const closed = Promise.resolve(this.#iterator.return?.()).catch(() => {});
    // A source with a pending read may close only after its next chunk, and there may not be another chunk.
    if (!this.aborted) await closed;
  }
}

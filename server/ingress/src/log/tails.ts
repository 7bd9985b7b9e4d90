/** The open tails of one log; see `EventLog.tail`. */
export class Tails {
  readonly #lastOf: (stream: string) => number;
  /** For each stream, the functions that wake its tails. */
  readonly #tails = new Map<string, Set<() => void>>();
  #isClosed = false;

  /** @param lastOf the last sequence number of a stream, 0 for a stream that was never written to. */
  constructor(lastOf: (stream: string) => number) {
    this.#lastOf = lastOf;
  }

  /** Wakes the tails of a stream, after events were stored in it. */
  wake(stream: string): void {
    for (const wake of this.#tails.get(stream) ?? []) wake();
  }

  /** Ends all tails. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#tails.keys()) this.wake(stream);
  }

  /** Yields hints that a stream has grown, as described in {@link EventLog.tail}. */
  async *tail(stream: string, after: number, signal: AbortSignal): AsyncGenerator<number, void> {
    let wake = () => {};
    const remove = this.#add(stream, () => wake());
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort);
    try {
      // Nothing is awaited between reading the stream and starting to wait, so that no append can go unnoticed between them.
      for (let reported = after; !this.#isClosed && !signal.aborted; ) {
        const last = this.#lastOf(stream);
        if (last > reported) yield (reported = last);
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      remove();
    }
  }

  #add(stream: string, wake: () => void): () => void {
    const tails = this.#tails.get(stream) ?? new Set();
    this.#tails.set(stream, tails.add(wake));
    return () => {
      tails.delete(wake);
      if (tails.size === 0) this.#tails.delete(stream);
    };
  }
}

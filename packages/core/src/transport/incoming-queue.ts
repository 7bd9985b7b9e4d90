import { Readers } from './readers.ts';
import type { Incoming } from './transport.ts';

export interface IncomingQueueOptions {
  /** Above this many waiting bytes `onPause` is called, and `onResume` when the consumer has taken them. */
  readonly maxBytes: number;
  readonly onPause: () => void;
  readonly onResume: () => void;
  /** The consumer left before the end. */
  readonly onReturn: () => void;
}

/**
 * Items between a transport and its consumer. The consumer takes all that waits at once, so a burst costs one promise,
 * not one each. Sizes are counted in UTF-16 units of the text, which is never more than its bytes.
 */
export class IncomingQueue implements AsyncIterableIterator<readonly Incoming[]> {
  readonly #options: IncomingQueueOptions;
  readonly #readers = new Readers<readonly Incoming[]>();
  #items: Incoming[] = [];
  #bytes = 0;
  #paused = false;
  #iterated = false;

  constructor(options: IncomingQueueOptions) {
    this.#options = options;
  }

  push(items: readonly Incoming[]): void {
    if (this.#readers.ended || items.length === 0 || this.#readers.hand(items)) return;
    for (const item of items) {
      this.#items.push(item);
      this.#bytes += sizeOf(item);
    }
    if (this.#bytes > this.#options.maxBytes && !this.#paused) {
      this.#paused = true;
      this.#options.onPause();
    }
  }

  /** No more items. What waits is handed out first; then the iteration ends, or throws the error once. */
  end(error?: Error): void {
    this.#readers.end(error && { reason: error });
  }

  [Symbol.asyncIterator](): this {
    if (this.#iterated) throw new TypeError('incoming can only be iterated once');
    this.#iterated = true;
    return this;
  }

  async next(): Promise<IteratorResult<readonly Incoming[], undefined>> {
    if (this.#items.length > 0) return { done: false, value: this.#take() };
    try {
      return await this.#readers.wait();
    } catch (error) {
      this.#readers.forgive();
      throw error;
    }
  }

  return(): Promise<IteratorResult<readonly Incoming[], undefined>> {
    const early = !this.#readers.ended;
    this.end();
    this.#readers.forgive();
    this.#take();
    if (early) this.#options.onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }

  #take(): Incoming[] {
    const items = this.#items;
    this.#items = [];
    this.#bytes = 0;
    if (this.#paused) {
      this.#paused = false;
      this.#options.onResume();
    }
    return items;
  }
}

function sizeOf(item: Incoming): number {
  switch (item.kind) {
    case 'message':
      return item.text.length;
    case 'malformed':
      return item.excerpt.length;
    case 'link':
      return 0;
  }
}

import { Fifo } from './fifo.ts';
import { Readers } from './readers.ts';
import type { Incoming } from './transport.ts';

/** The limit of a queue, and what it reports. */
export interface IncomingQueueOptions {
  /** Above this many waiting bytes `onPause` is called, and `onResume` when no more than that wait. */
  readonly maxBytes: number;
  readonly onPause: () => void;
  readonly onResume: () => void;
  /** The consumer left before the end. */
  readonly onReturn: () => void;
}

interface Block {
  readonly items: Incoming[];
  /** What had been received when its last item was. */
  end: number;
}

// Measured: an item of a million in one array costs three times what it costs among 10 000; blocks smaller than this cost half as much
// again for growing.
const BLOCK_ITEMS = 4096;

/**
 * Items between a transport and its consumer. The consumer takes many that wait at once, so a burst costs a promise for a block,
 * not one each. Sizes are counted in UTF-16 units of the text, which is never more than its bytes, and a little for each item.
 */
export class IncomingQueue implements AsyncIterableIterator<readonly Incoming[]> {
  readonly #options: IncomingQueueOptions;
  readonly #readers = new Readers<readonly Incoming[]>();
  readonly #blocks = new Fifo<Block>();
  // In all, by size: what waits is the difference.
  #received = 0;
  #taken = 0;
  #paused = false;
  #iterated = false;
  #finished = false;

  constructor(options: IncomingQueueOptions) {
    this.#options = options;
  }

  /** More waits than may. */
  get paused(): boolean {
    return this.#paused;
  }

  push(items: readonly Incoming[]): void {
    if (this.#readers.ended || items.length === 0 || this.#readers.hand(items)) return;
    let block = this.#blocks.last() ?? this.#newBlock();
    let end = this.#received;
    for (const item of items) {
      if (block.items.length === BLOCK_ITEMS) {
        block.end = end;
        block = this.#newBlock();
      }
      block.items.push(item);
      end += sizeOf(item);
    }
    this.#received = block.end = end;
    if (this.#received - this.#taken > this.#options.maxBytes && !this.#paused) {
      this.#paused = true;
      this.#options.onPause();
    }
  }

  /** No more items. What waits is handed out first; then the iteration ends, or throws the error once. */
  end(error?: Error): void {
    this.#readers.end(error && { reason: error });
    // What still comes, if only the goodbye, takes no room.
    this.#resume();
  }

  [Symbol.asyncIterator](): this {
    if (this.#iterated) throw new TypeError('incoming can only be iterated once');
    this.#iterated = true;
    return this;
  }

  next(): Promise<IteratorResult<readonly Incoming[], undefined>> {
    const block = this.#blocks.shift();
    if (block !== undefined) {
      this.#taken = block.end;
      if (this.#received - this.#taken <= this.#options.maxBytes) this.#resume();
      return Promise.resolve({ done: false, value: block.items });
    }
    const result = this.#readers.wait();
    // Not as an async function: its reader would hear of the end some ticks after `closed`.
    result.then(
      ({ done }) => void (this.#finished ||= done === true),
      () => {
        this.#finished = true;
        this.#readers.forgive();
      },
    );
    return result;
  }

  return(): Promise<IteratorResult<readonly Incoming[], undefined>> {
    // Also when the end has come but was not handed out: sending may still be possible.
    const early = !this.#finished;
    this.#finished = true;
    this.end();
    this.#readers.forgive();
    this.#blocks.clear();
    this.#taken = this.#received;
    if (early) this.#options.onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }

  #newBlock(): Block {
    const block: Block = { items: [], end: 0 };
    this.#blocks.push(block);
    return block;
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#options.onResume();
  }
}

/** What an item takes besides its text (measured). Without it a flood of empty items would have no limit. */
export const ITEM_BYTES = 80;

function sizeOf(item: Incoming): number {
  switch (item.kind) {
    case 'message':
      return ITEM_BYTES + item.text.length;
    case 'malformed':
      return ITEM_BYTES + item.excerpt.length;
    case 'link':
      return ITEM_BYTES;
  }
}

import { Fifo } from './fifo.ts';
import { PendingReads } from './pending-reads.ts';
import { handled } from './serial-queue.ts';
import type { Incoming, IncomingNotice } from '../transport.ts';

/** One object serves the queues of all owners of a class, because closures would take 250 bytes in each idle session. */
export interface IncomingQueueEvents<Owner> {
  onPause(owner: Owner): void;
  onResume(owner: Owner): void;
  /** Called when the consumer leaves the loop before the end. */
  onReturn(owner: Owner): void;
}

interface Block {
  readonly items: readonly Incoming[];
  /** The same array as `items`, if more items may be added to this block. */
  readonly open?: Incoming[];
  /** The size of all items received up to the last item of this block. */
  end: number;
}

// Measured: an item in an array of a million items costs three times as much as in an array of 10 000. With smaller blocks than this, growing the
// arrays increases the cost by half.
const BLOCK_ITEMS = 4096;
// An array of at least this many items, such as the lines of one read, becomes a block without being copied: copying made a burst twice as expensive.
// Shorter arrays are joined, because the consumer needs a promise for each block.
const MANY_ITEMS = 64;

const NO_READ = /* @__PURE__ */ Promise.resolve({ done: true, value: undefined } as const);

/**
 * The items that a transport has received but its consumer has not read. The consumer reads a whole block of items at a time, so that a burst needs
 * one promise for each block instead of one for each item. The size of an item is the number of UTF-16 units of its text, which is never more than
 * its bytes, plus a fixed amount.
 */
export class IncomingQueue<Owner = unknown> implements AsyncIterableIterator<readonly Incoming[]> {
  readonly #owner: Owner;
  readonly #events: IncomingQueueEvents<Owner>;
  readonly #maxBytes: number;
  readonly #reads = new PendingReads<readonly Incoming[]>();
  readonly #blocks = new Fifo<Block>();
  // The total sizes of all items that were received and that were taken. The difference is the size of the waiting items.
  #received = 0;
  #taken = 0;
  #paused = false;
  #iterated = false;
  #finished = false;
  /**
   * The last read that had to wait. A rejection of this read is handled only at the end, because another promise for each read took 5 % of the memory
   * of a request.
   */
  #read: Promise<IteratorResult<readonly Incoming[], undefined>> = NO_READ;

  constructor(owner: Owner, events: IncomingQueueEvents<Owner>, maxBytes: number) {
    this.#owner = owner;
    this.#events = events;
    this.#maxBytes = maxBytes;
  }

  /** Whether the waiting items exceed the limit. */
  get paused(): boolean {
    return this.#paused;
  }

  push(items: readonly Incoming[]): void {
    if (this.#reads.ended || items.length === 0 || this.#reads.deliver(items)) return;
    for (const item of items) this.#received += sizeOf(item);
    this.#store(items);
    if (this.#received - this.#taken > this.#maxBytes && !this.#paused) {
      this.#paused = true;
      this.#events.onPause(this.#owner);
    }
  }

  /** The consumer first receives the waiting items. Then the iteration ends, or throws the error once. */
  end(error?: Error): void {
    const isAwaited = this.#reads.waiting;
    this.#reads.end(error && { reason: error });
    if (isAwaited) this.#finish();
    // Items that arrive from now on are dropped and need no room, so the driver may keep reading.
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
      if (this.#received - this.#taken <= this.#maxBytes) this.#resume();
      return Promise.resolve({ done: false, value: block.items });
    }
    // If there are several reads at once, which is rare, all but the last are handled here.
    if (this.#reads.waiting) void handled(this.#read);
    this.#read = this.#reads.wait();
    if (this.#reads.ended) this.#finish();
    return this.#read;
  }

  return(): Promise<IteratorResult<readonly Incoming[], undefined>> {
    // This also applies if the end has arrived but was not handed out, because sending may still be possible.
    const early = !this.#finished;
    this.end();
    this.#finish();
    this.#blocks.clear();
    this.#taken = this.#received;
    if (early) this.#events.onReturn(this.#owner);
    return Promise.resolve({ done: true, value: undefined });
  }

  // A consumer that does not await the read with the error can get the error from `closed`.
  #finish(): void {
    this.#finished = true;
    void handled(this.#read);
    this.#reads.clearError();
  }

  #store(items: readonly Incoming[]): void {
    const end = this.#received;
    if (items.length >= MANY_ITEMS) return this.#blocks.push({ items, end });
    const last = this.#blocks.last();
    if (last?.open === undefined || last.open.length >= BLOCK_ITEMS) {
      const open = [...items];
      this.#blocks.push({ items: open, open, end });
    } else {
      last.open.push(...items);
      last.end = end;
    }
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#events.onResume(this.#owner);
  }
}

/**
 * The memory that an item takes in addition to its text, in bytes (measured). If this memory were not counted, a flood of empty items would have no
 * limit.
 */
export const ITEM_BYTES = 80;

function sizeOf(item: Incoming): number {
  switch (item.kind) {
    case 'message':
      return ITEM_BYTES + item.text.length;
    case 'malformed':
      return ITEM_BYTES + item.excerpt.length;
    case 'link':
      return ITEM_BYTES;
    case 'notice':
      return ITEM_BYTES + lengthOf(item);
  }
}

export function lengthOf({ event, data }: IncomingNotice): number {
  try {
    return event.length + (JSON.stringify(data)?.length ?? 0);
  } catch {
    // JSON cannot represent this data, so it was created by a transport and did not arrive over a wire.
    return event.length;
  }
}

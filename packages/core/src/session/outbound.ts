import { encodeLine } from '../framing/encode-line.ts';
import { TextBatch } from '../transport/batch.ts';
import { TransportError } from '../transport/error.ts';
import { Fifo } from '../transport/fifo.ts';
import { Readers } from '../transport/readers.ts';
import type { Outgoing, SendOptions, Transport } from '../transport/transport.ts';
import { Gate } from './gate.ts';

/** Waiting bytes above which producers are pushed back. */
export const DEFAULT_HIGH_WATER_MARK_BYTES = 1024 * 1024;

// One write of about this size costs least on a pipe (measured); a longer message is a block of its own.
const BLOCK_BYTES = 64 * 1024;

/**
 * What happens above the high-water mark. `wait`: everything is queued, the promise of `emit` stays pending. `fail`: `enqueue`
 * throws a `TransportError` of code `overflow`. `drop-ephemeral`: ephemeral messages are not queued but counted, others wait.
 */
export type OverflowPolicy = 'wait' | 'fail' | 'drop-ephemeral';

export interface OutboundStreamOptions {
  /** Default `DEFAULT_HIGH_WATER_MARK_BYTES`. */
  readonly highWaterMarkBytes?: number;
  /** Default `wait`. */
  readonly overflow?: OverflowPolicy;
  /** Called once when the reader leaves before the end. */
  readonly onReturn?: () => void;
}

export interface EnqueueOptions {
  /** The id the message travels under, for transports that identify messages. */
  readonly id?: string;
  /** True for what may be lost without harm. */
  readonly ephemeral?: boolean;
}

/**
 * `created`: empty and without a reader · `waiting`: the reader has everything · `buffering`: messages wait ·
 * `completed`: ended, and everything handed out.
 */
export type OutboundState = 'created' | 'waiting' | 'buffering' | 'completed';

/**
 * The one queue between everything that writes and the one writer, in the order of the calls. A message is encoded when it is
 * enqueued: the caller may change its object afterwards, and what waits is text. It has one reader, `pipeTo` or `for await`.
 */
export interface OutboundStream extends AsyncIterable<Outgoing> {
  readonly state: OutboundState;
  /** Messages that wait. */
  readonly count: number;
  /** What waits, in UTF-16 units of the text, which is never more than its bytes. */
  readonly bytes: number;
  /** Ephemeral messages that were not queued. */
  readonly dropped: number;
  /**
   * Queues a message. Throws `TypeError` for what JSON cannot express, and a `TransportError` of code `closed` after the end or
   * `overflow` above the mark with that policy; nothing is queued then.
   */
  enqueue(message: object, options?: EnqueueOptions): void;
  /** Queues a message like `enqueue`, and fulfils when less than the high-water mark waits. */
  emit(message: object, options?: EnqueueOptions): Promise<void>;
  /** No more messages; what waits is still handed out. */
  done(): void;
  /** Ends with an error, which the reader gets behind what waits. Without effect after `done`. */
  error(reason: unknown): void;
  /**
   * Writes everything to a transport: what was enqueued in one tick goes as one batch, the next batch when `send` has settled.
   * Fulfils when the stream is done and all is sent; the transport stays open. Rejects when sending fails, and the stream ends.
   */
  pipeTo(transport: Pick<Transport, 'send'>, options?: SendOptions): Promise<void>;
}

export function createOutboundStream(options: OutboundStreamOptions = {}): OutboundStream {
  return new BlockStream(options);
}

class BlockStream implements OutboundStream {
  readonly #options: OutboundStreamOptions;
  readonly #highWaterMark: number;
  readonly #gate = new Gate();
  readonly #blocks = new Fifo<TextBatch>();
  // How many messages of the first block a `for await` has taken.
  #taken = 0;
  readonly #readers = new Readers<Outgoing>();
  #claimed = false;
  #wake: (() => void) | undefined;
  #failure: { readonly reason: unknown } | undefined;
  count = 0;
  bytes = 0;
  dropped = 0;

  constructor(options: OutboundStreamOptions) {
    this.#options = options;
    this.#highWaterMark = options.highWaterMarkBytes ?? DEFAULT_HIGH_WATER_MARK_BYTES;
  }

  get state(): OutboundState {
    if (this.count > 0) return 'buffering';
    if (this.#readers.ended) return 'completed';
    return this.#claimed ? 'waiting' : 'created';
  }

  enqueue(message: object, { id, ephemeral = false }: EnqueueOptions = {}): void {
    if (this.#readers.ended) throw new TransportError('closed', 'Stream closed', { cause: this.#failure?.reason });
    const line = encodeLine(message);
    if (this.bytes > 0 && this.bytes + line.length > this.#highWaterMark) {
      if (this.#options.overflow === 'fail') {
        const full = `outbound stream is full: ${this.bytes} of ${this.#highWaterMark} bytes wait`;
        throw new TransportError('overflow', full);
      }
      if (this.#options.overflow === 'drop-ephemeral' && ephemeral) {
        this.dropped++;
        return;
      }
    }
    if (!this.#claimed || !this.#readers.hand({ text: line.slice(0, -1), id, ephemeral })) {
      this.#append(line, id, ephemeral);
    }
  }

  emit(message: object, options?: EnqueueOptions): Promise<void> {
    try {
      this.enqueue(message, options);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.bytes < this.#highWaterMark ? Promise.resolve() : this.#gate.wait();
  }

  done(): void {
    this.#readers.end();
    this.#rouse();
  }

  error(reason: unknown): void {
    if (this.#readers.ended) return;
    this.#failure = { reason };
    this.#readers.end(this.#failure);
    this.#rouse();
  }

  [Symbol.asyncIterator](): AsyncIterator<Outgoing, undefined> {
    this.#claim();
    return { next: () => this.#next(), return: () => this.#return() };
  }

  async pipeTo(transport: Pick<Transport, 'send'>, options?: SendOptions): Promise<void> {
    this.#claim();
    try {
      for (;;) {
        // Also when messages wait already: the microtask lets the rest of this tick join the batch.
        await this.#filled();
        const batch = this.#takeBlock();
        if (batch === undefined) break;
        await transport.send(batch, options);
      }
    } catch (error) {
      this.error(error);
      this.#discard(error);
      throw error;
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
  }

  #append(line: string, id: string | undefined, ephemeral: boolean): void {
    let block = this.#blocks.last();
    if (block === undefined || block.text.length + line.length > BLOCK_BYTES) {
      block = new TextBatch();
      this.#blocks.push(block);
    }
    block.append(line, id, ephemeral);
    this.count++;
    this.bytes += line.length;
    this.#rouse();
  }

  #claim(): void {
    if (this.#claimed) throw new TypeError('Stream can only be iterated once');
    this.#claimed = true;
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  #filled(): Promise<void> | void {
    if (this.count > 0 || this.#readers.ended) return;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #takeBlock(): TextBatch | undefined {
    const block = this.#blocks.peek();
    if (block !== undefined) this.#drop(block, block.count, block.text.length);
    return block;
  }

  #next(): Promise<IteratorResult<Outgoing, undefined>> {
    const block = this.#blocks.peek();
    if (block === undefined) return this.#readers.wait();
    const value = block.at(this.#taken);
    this.#drop(block, 1, value.text.length + 1);
    return Promise.resolve({ done: false, value });
  }

  #return(): Promise<IteratorResult<Outgoing, undefined>> {
    const early = this.state !== 'completed';
    this.done();
    this.#readers.forgive();
    this.#discard(new TransportError('closed', 'Stream closed'));
    if (early) this.#options.onReturn?.();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Some messages of the first block were handed out. */
  #drop(block: TextBatch, messages: number, length: number): void {
    this.count -= messages;
    this.bytes -= length;
    this.#taken += messages;
    if (this.#taken === block.count) {
      this.#taken = 0;
      this.#blocks.shift();
    }
    if (this.bytes < this.#highWaterMark) this.#gate.open();
  }

  /** Nobody will read what waits. */
  #discard(reason: unknown): void {
    this.#blocks.clear();
    this.#taken = this.count = this.bytes = 0;
    this.#gate.fail(reason);
  }
}

import { encodeText } from '../framing/json-line.ts';
import { TextBatch } from '../transport/lines/batch.ts';
import { TransportError } from '../transport/error.ts';
import { Fifo } from '../transport/queues/fifo.ts';
import { PendingReads } from '../transport/queues/pending-reads.ts';
import type { Outgoing, SendOptions, Transport } from '../transport/transport.ts';
import { Waiters } from '../transport/async/deferred.ts';
import {
  DEFAULT_HIGH_WATER_MARK_BYTES,
  DEFAULT_MAX_OUTBOUND_BYTES,
  type EnqueueOptions,
  type OutboundStage,
  type OutboundState,
  type OutboundStream,
  type OutboundStreamOptions,
} from './outbound-stream.ts';

// A write of about this size is the most efficient on a pipe (measured). A longer message is written as one block.
const BLOCK_BYTES = 64 * 1024;
// The peer can process these bytes while the rest of a tick is still being encoded: if each side has a processor, a hundred requests to a child
// process take a fifth less time. Half the size would cause more writes for a tick with 50 deltas, but would not save time.
const EARLY_BYTES = 16 * 1024;
// If more bytes than the default high-water mark are waiting, which only producers that do not wait can cause, blocks are stored as bytes. Encoding
// and decoding a block takes a tenth of the time that creating its JSON took.
const PACK_BYTES = DEFAULT_HIGH_WATER_MARK_BYTES;
const NOW = Promise.resolve();

/** Creates an empty stream without a reader. */
export function createOutboundStream(options: OutboundStreamOptions = {}): OutboundStream {
  return new OutboundQueue(options);
}

interface Pipe {
  send(block: TextBatch): void;
  resolve(): void;
  reject(reason: unknown): void;
}

class OutboundQueue implements OutboundStream {
  readonly #options: OutboundStreamOptions;
  readonly #mark: number;
  readonly #limit: number;
  readonly #stage: ReturnType<OutboundStage> | undefined;
  readonly #blocks = new Fifo<TextBatch>();
  readonly #reads = new PendingReads<Outgoing>();
  readonly #room = new Waiters();
  /** How many messages of the first block a `for await` loop has read. */
  #taken = 0;
  #failure: { readonly reason: unknown } | undefined;
  #pipe: Pipe | undefined;
  #isPipeReady = false;
  count = 0;
  bytes = 0;
  dropped = 0;

  constructor(options: OutboundStreamOptions) {
    const { highWaterMarkBytes = DEFAULT_HIGH_WATER_MARK_BYTES, maxOutboundBytes = DEFAULT_MAX_OUTBOUND_BYTES } =
      options;
    this.#options = options;
    // An empty queue must have room, whatever the mark is: otherwise a producer that waits for room would wait forever.
    this.#mark = highWaterMarkBytes || 1;
    this.#limit = options.overflow === 'fail' ? this.#mark : maxOutboundBytes;
    this.#stage = options.stage?.((message, enqueueOptions) => this.#push(message, enqueueOptions));
  }

  get state(): OutboundState {
    if (this.count > 0) return 'buffering';
    if (this.#reads.ended) return 'completed';
    return this.#reads.claimed ? 'waiting' : 'created';
  }

  enqueue(message: object, options: EnqueueOptions = {}): void {
    if (this.#stage === undefined || this.#reads.ended) this.#push(message, options);
    else this.#stage.enqueue(message, options);
  }

  emit(message: object, options?: EnqueueOptions): Promise<void> {
    try {
      this.enqueue(message, options);
      return this.bytes < this.#mark ? Promise.resolve() : this.#room.wait();
    } catch (error) {
      const refused = Promise.reject(error);
      // The end of the stream is also reported elsewhere. A message that JSON cannot represent is reported only here, so that rejection must not be
      // handled here.
      if (TransportError.is(error)) refused.catch(() => {});
      return refused;
    }
  }

  end(): void {
    if (!this.#reads.ended) this.#stage?.flush();
    this.#finish();
  }

  fail(reason: unknown): void {
    this.#finish({ reason });
  }

  pipeTo(transport: Pick<Transport, 'send'>, options?: SendOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reads.claim();
      // Both functions are created once, because closures for each batch took 2 % of the memory of a request.
      const sent = () => this.#onSent();
      const failed = (error: unknown) => this.#giveUp(error);
      this.#pipe = { send: (block) => void transport.send(block, options).then(sent, failed), resolve, reject };
      this.#isPipeReady = true;
      this.#flushAfterTick();
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<Outgoing, undefined> {
    return this.#reads.iterate(
      () => this.#take(),
      () => this.#leave(),
    );
  }

  #push(message: object, { id, ephemeral = false }: EnqueueOptions): void {
    if (this.#reads.ended) throw new TransportError('closed', 'Stream closed', { cause: this.#failure?.reason });
    const { overflow } = this.#options;
    const text = encodeText(message);
    const length = text.length + 1;
    const size = this.bytes && this.bytes + length;
    if (size > this.#mark && overflow === 'drop-ephemeral' && ephemeral) {
      this.dropped++;
      return;
    }
    if (size > this.#limit) {
      const full = new TransportError(
        'overflow',
        `outbound stream is full: ${this.bytes} of ${this.#limit} bytes are waiting`,
      );
      // Refusing only this message would leave a gap, and a producer that does not wait would never notice the gap.
      if (overflow !== 'fail') this.#giveUp(full);
      throw full;
    }
    if (this.#reads.waiting && this.#reads.deliver({ text, id, ephemeral })) return;
    this.#append(text, id, ephemeral);
    this.count++;
    this.bytes += length;
    if (this.bytes >= EARLY_BYTES) this.#flush();
    else if (this.count === 1) this.#flushAfterTick();
  }

  #append(text: string, id: string | undefined, ephemeral: boolean): void {
    let block = this.#blocks.last();
    if (block === undefined || block.length + text.length + 1 > BLOCK_BYTES) {
      if (this.bytes > PACK_BYTES) block?.pack();
      else block?.seal();
      block = new TextBatch();
      this.#blocks.push(block);
    }
    block.append(text, id, ephemeral);
  }

  #flushAfterTick(): void {
    void NOW.then(() => this.#flush());
  }

  #flush(): void {
    if (!this.#isPipeReady) return;
    const block = this.#blocks.peek();
    if (block !== undefined) {
      this.#isPipeReady = false;
      try {
        this.#dropFromFirst(block, block.count, block.length);
        this.#pipe?.send(block);
      } catch (error) {
        // The pipe has failed, so `enqueue` must not throw.
        this.#giveUp(error);
      }
    } else if (this.#failure !== undefined) this.#pipe?.reject(this.#failure.reason);
    else if (this.#reads.ended) this.#pipe?.resolve();
  }

  #onSent(): void {
    this.#isPipeReady = true;
    if (this.count > 0 || this.#reads.ended) this.#flushAfterTick();
  }

  #dropFromFirst(block: TextBatch, messages: number, length: number): void {
    this.count -= messages;
    this.bytes -= length;
    this.#taken += messages;
    if (this.#taken === block.count) {
      this.#taken = 0;
      this.#blocks.shift();
    }
    if (this.bytes >= this.#mark) return;
    this.#room.open();
    this.#options.onDrain?.();
  }

  #finish(failure?: { readonly reason: unknown }): void {
    if (this.#reads.ended) return;
    this.#failure = failure;
    this.#reads.end(failure);
    this.#flushAfterTick();
  }

  #giveUp(reason: unknown): void {
    this.#finish({ reason });
    this.#discard(reason);
    this.#pipe?.reject(reason);
  }

  #discard(reason: unknown): void {
    this.#blocks.clear();
    this.#taken = this.count = this.bytes = 0;
    this.#room.fail(reason);
  }

  #take(): Outgoing | undefined {
    const block = this.#blocks.peek();
    const message = block?.at(this.#taken);
    if (block !== undefined && message !== undefined) this.#dropFromFirst(block, 1, message.text.length + 1);
    return message;
  }

  #leave(): void {
    const isEarly = this.count > 0 || !this.#reads.ended;
    this.#finish();
    this.#discard(new TransportError('closed', 'Stream closed'));
    if (isEarly) this.#options.onReturn?.();
  }
}

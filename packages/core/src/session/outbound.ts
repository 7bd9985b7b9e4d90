import { encodeText } from '../framing/encode-line.ts';
import { TextBatch } from '../transport/batch.ts';
import { TransportError } from '../transport/error.ts';
import { Fifo } from '../transport/fifo.ts';
import { Readers } from '../transport/readers.ts';
import type { Outgoing, SendOptions, Transport } from '../transport/transport.ts';
import { Waiters } from './waiters.ts';

/** Waiting bytes above which producers are pushed back. */
export const DEFAULT_HIGH_WATER_MARK_BYTES = 1024 * 1024;
/** Waiting bytes above which the stream ends. */
export const DEFAULT_MAX_OUTBOUND_BYTES = 256 * 1024 * 1024;

// One write of about this size costs least on a pipe (measured); a longer message is a block of its own.
const BLOCK_BYTES = 64 * 1024;
// What the peer can begin with while the rest of a tick is made: with a processor for each side a hundred requests to a child process
// take a fifth less. Half of it would be more writes for a tick of 50 deltas, and no faster.
const EARLY_BYTES = 16 * 1024;
const NOW = Promise.resolve();

/**
 * What happens above the high-water mark. `wait`: everything is queued, the promise of `emit` stays pending. `fail`: `enqueue`
 * throws a `TransportError` of code `overflow`. `drop-ephemeral`: ephemeral messages are not queued but counted, others wait.
 */
export type OverflowPolicy = 'wait' | 'fail' | 'drop-ephemeral';

/** The limits of an outbound stream, and what happens above them. */
export interface OutboundStreamOptions {
  /** Default `DEFAULT_HIGH_WATER_MARK_BYTES`. */
  readonly highWaterMarkBytes?: number;
  /** Default `DEFAULT_MAX_OUTBOUND_BYTES`. The limit for those who do not wait: the message that would pass it ends the stream. */
  readonly maxOutboundBytes?: number;
  /** Default `wait`. */
  readonly overflow?: OverflowPolicy;
  /** Default: none. */
  readonly stage?: OutboundStage;
  /** Called whenever messages were handed out and less than the mark waits. */
  readonly onDrain?: () => void;
  /** Called once when the reader leaves before the end. */
  readonly onReturn?: () => void;
}

/** How one item is queued. */
export interface EnqueueOptions {
  /** The id the message travels under, for transports that identify messages. */
  readonly id?: string;
  /** True for what may be lost without harm. */
  readonly ephemeral?: boolean;
}

/** What stands ahead of a queue: it is given what is enqueued, and hands it on when it likes, in that order. */
export type OutboundStage = (next: (message: object, options: EnqueueOptions) => void) => {
  enqueue(message: object, options: EnqueueOptions): void;
  /** Hands on what it holds. */
  flush(): void;
};

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
   * Queues a message. Throws `TypeError` for what JSON cannot express, and a `TransportError` of code `closed` after the end, or
   * `overflow` above the mark with that policy; nothing is queued then. Above `maxOutboundBytes` it throws `overflow` too, and
   * the stream ends with that error: what waits is dropped, and the reader is told at once.
   */
  enqueue(message: object, options?: EnqueueOptions): void;
  /** Queues a message like `enqueue`, and fulfils when less than the high-water mark waits, or nothing. */
  emit(message: object, options?: EnqueueOptions): Promise<void>;
  /** No more messages; what waits is still handed out. */
  done(): void;
  /** Ends with an error, which the reader gets behind what waits. Without effect after `done`. */
  error(reason: unknown): void;
  /**
   * Writes everything to a transport: what was enqueued in one tick goes as one batch, of much the first part at once, and the next
   * batch when `send` has settled.
   * Fulfils when the stream is done and all is sent; the transport stays open. Rejects when sending fails, and the stream ends.
   */
  pipeTo(transport: Pick<Transport, 'send'>, options?: SendOptions): Promise<void>;
}

/** Makes an empty stream without a reader. */
export function createOutboundStream(options: OutboundStreamOptions = {}): OutboundStream {
  const { highWaterMarkBytes = DEFAULT_HIGH_WATER_MARK_BYTES, maxOutboundBytes = DEFAULT_MAX_OUTBOUND_BYTES } = options;
  const { overflow = 'wait', onDrain, onReturn, stage } = options;
  // Where nothing waits there is room: nothing would open the gate then.
  const mark = highWaterMarkBytes || 1;
  const limit = overflow === 'fail' ? mark : maxOutboundBytes;
  const blocks = new Fifo<TextBatch>();
  const readers = new Readers<Outgoing>();
  const room = new Waiters();
  // How many messages of the first block a `for await` has taken.
  let taken = 0;
  let failure: { readonly reason: unknown } | undefined;
  let count = 0;
  let bytes = 0;
  let dropped = 0;
  let pipe: { send(block: TextBatch): Promise<void>; resolve(): void; reject(reason: unknown): void } | undefined;
  // There is a pipe, and it has taken the batch before.
  let isReady = false;

  function push(message: object, { id, ephemeral = false }: EnqueueOptions): void {
    if (readers.ended) throw new TransportError('closed', 'Stream closed', { cause: failure?.reason });
    const text = encodeText(message);
    const length = text.length + 1;
    const size = bytes && bytes + length;
    if (size > mark && overflow === 'drop-ephemeral' && ephemeral) {
      dropped++;
      return;
    }
    if (size > limit) {
      const full = new TransportError('overflow', `outbound stream is full: ${bytes} of ${limit} bytes wait`);
      // Refusing this one alone would be a gap that nobody hears of who does not wait.
      if (overflow !== 'fail') giveUp(full);
      throw full;
    }
    if (readers.waiting && readers.hand({ text, id, ephemeral })) return;
    let block = blocks.last();
    if (block === undefined || block.length + length > BLOCK_BYTES) {
      block?.seal();
      block = new TextBatch();
      blocks.push(block);
    }
    block.append(text, id, ephemeral);
    count++;
    bytes += length;
    if (bytes >= EARLY_BYTES) flush();
    else if (count === 1) schedule();
  }

  /** Lets the rest of this tick join the batch. */
  function schedule(): void {
    void NOW.then(flush);
  }

  function onSent(): void {
    isReady = true;
    if (count > 0 || readers.ended) schedule();
  }

  /** Sends what waits. */
  function flush(): void {
    if (!isReady) return;
    const block = blocks.peek();
    if (block !== undefined) {
      isReady = false;
      try {
        drop(block, block.count, block.length);
        pipe?.send(block).then(onSent, giveUp);
      } catch (error) {
        // It is the pipe's, and not that of whoever has enqueued.
        giveUp(error);
      }
    } else if (failure !== undefined) pipe?.reject(failure.reason);
    else if (readers.ended) pipe?.resolve();
  }

  const staged = stage?.(push);

  function enqueue(message: object, enqueueOptions: EnqueueOptions = {}): void {
    if (staged === undefined || readers.ended) push(message, enqueueOptions);
    else staged.enqueue(message, enqueueOptions);
  }

  function end(reason?: { readonly reason: unknown }): void {
    if (readers.ended) return;
    failure = reason;
    readers.end(reason);
    schedule();
  }

  /** Some messages of the first block were handed out. */
  function drop(block: TextBatch, messages: number, length: number): void {
    count -= messages;
    bytes -= length;
    taken += messages;
    if (taken === block.count) {
      taken = 0;
      blocks.shift();
    }
    if (bytes >= mark) return;
    room.open();
    onDrain?.();
  }

  /** Nobody will read what waits. */
  function discard(reason: unknown): void {
    blocks.clear();
    taken = count = bytes = 0;
    room.fail(reason);
  }

  function giveUp(reason: unknown): void {
    end({ reason });
    discard(reason);
    pipe?.reject(reason);
  }

  function take(): Outgoing | undefined {
    const block = blocks.peek();
    const message = block?.at(taken);
    if (block !== undefined && message !== undefined) drop(block, 1, message.text.length + 1);
    return message;
  }

  function leave(): void {
    const early = count > 0 || !readers.ended;
    end();
    discard(new TransportError('closed', 'Stream closed'));
    if (early) onReturn?.();
  }

  return {
    get state() {
      if (count > 0) return 'buffering';
      if (readers.ended) return 'completed';
      return readers.claimed ? 'waiting' : 'created';
    },
    get count() {
      return count;
    },
    get bytes() {
      return bytes;
    },
    get dropped() {
      return dropped;
    },
    enqueue,
    emit(message, enqueueOptions) {
      try {
        enqueue(message, enqueueOptions);
        return bytes < mark ? Promise.resolve() : room.wait();
      } catch (error) {
        const refused = Promise.reject(error);
        // The end of the stream is told elsewhere too; a message that JSON cannot express is not, so that one stays loud.
        if (TransportError.is(error)) refused.catch(() => {});
        return refused;
      }
    },
    done() {
      if (!readers.ended) staged?.flush();
      end();
    },
    error: (reason) => end({ reason }),
    pipeTo: (transport, sendOptions) =>
      new Promise((resolve, reject) => {
        readers.claim();
        pipe = { send: (block) => transport.send(block, sendOptions), resolve, reject };
        isReady = true;
        schedule();
      }),
    [Symbol.asyncIterator]: () => readers.iterate(take, leave),
  };
}

import { batchFrom } from '../lines/batch.ts';
import { TransportError } from '../error.ts';
import { Fifo } from './fifo.ts';
import type { Batch, Outgoing } from '../transport.ts';

const DEFAULT_MAX_REPLAY_BYTES = 64 * 1024 * 1024;

/** Messages to send again, and the sequence number of the first message. */
export interface ReplayEntry {
  /** The sequence number of the first message of the batch. */
  readonly first: number;
  /** The messages, with consecutive numbers. */
  readonly batch: Batch;
}

/** Keeps messages that were sent but not acknowledged, so that a resuming transport can send them again. Uses no timers and no I/O. */
export interface ReplayBuffer {
  /** The sequence number of the message that was added last. The first message has the number 1. */
  readonly last: number;
  /** The highest acknowledged sequence number. 0 before any acknowledgement. */
  readonly acknowledged: number;
  /** The size of all unacknowledged messages, in UTF-16 units of their text. Never greater than their size in bytes. */
  readonly bytes: number;
  /** Whether the buffer has room for a batch. An empty buffer has room for any batch. */
  hasRoom(batch: Batch): boolean;
  /**
   * Keeps a batch and returns the sequence number of its first message. An empty buffer keeps any batch.
   *
   * @throws {TransportError} `overflow` if the buffer would exceed its limit. In this case, no part of the batch is kept
   */
  append(batch: Batch): number;
  /**
   * Removes everything up to a sequence number, because the peer has received it. A number that was already acknowledged changes nothing.
   *
   * @throws {RangeError} for a number that was never sent, or that is not an integer
   */
  acknowledge(sequence: number): void;
  /** The messages to send again, in order, with their numbers. */
  unacknowledged(): readonly ReplayEntry[];
}

/**
 * Creates an empty buffer.
 *
 * @param options `maxBytes`: how many sent bytes may be waiting for acknowledgement. Default 67 108 864, which is 64 MiB.
 */
export function createReplayBuffer(options: { readonly maxBytes?: number | undefined } = {}): ReplayBuffer {
  return new BatchReplayBuffer(options.maxBytes ?? DEFAULT_MAX_REPLAY_BYTES);
}

/**
 * A kept batch, which stays whole until all of its messages are acknowledged. If the batch were cut at each acknowledgement, the time would grow with
 * the square of the number of messages.
 */
interface Kept extends ReplayEntry {
  /** Iterates over the messages as they are acknowledged. */
  readonly messages: Iterator<Outgoing>;
  /** The size of the part of the text that belongs to acknowledged messages. */
  acknowledgedBytes: number;
}

class BatchReplayBuffer implements ReplayBuffer {
  readonly #maxBytes: number;
  readonly #entries = new Fifo<Kept>();
  last = 0;
  acknowledged = 0;
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  hasRoom({ text }: Batch): boolean {
    return this.bytes === 0 || this.bytes + text.length <= this.#maxBytes;
  }

  append(batch: Batch): number {
    const size = batch.text.length;
    if (!this.hasRoom(batch)) {
      const full = `replay buffer is full: ${this.bytes} of ${this.#maxBytes} bytes are waiting for the peer`;
      throw new TransportError('overflow', full);
    }
    const first = this.last + 1;
    // An empty batch would stay in the buffer even when everything is acknowledged.
    if (batch.count > 0) this.#entries.push({ first, batch, messages: batch.messages(), acknowledgedBytes: 0 });
    this.last += batch.count;
    this.bytes += size;
    return first;
  }

  acknowledge(sequence: number): void {
    // The number was sent by the peer, which may send anything, so the buffer must stay correct.
    if (!Number.isSafeInteger(sequence) || sequence > this.last) {
      throw new RangeError(`the peer acknowledged message ${sequence}, but only ${this.last} messages were sent`);
    }
    if (sequence <= this.acknowledged) return;
    for (let entry = this.#entries.peek(); entry !== undefined; entry = this.#entries.peek()) {
      const { first, batch, messages } = entry;
      if (first + batch.count - 1 > sequence) {
        for (let n = Math.max(first, this.acknowledged + 1); n <= sequence; n++) {
          const { text } = messages.next().value as Outgoing;
          entry.acknowledgedBytes += text.length + 1;
          this.bytes -= text.length + 1;
        }
        break;
      }
      this.bytes -= batch.text.length - entry.acknowledgedBytes;
      this.#entries.shift();
    }
    this.acknowledged = sequence;
  }

  unacknowledged(): readonly ReplayEntry[] {
    const next = this.acknowledged + 1;
    return Array.from(this.#entries, ({ first, batch }) =>
      first < next ? { first: next, batch: batchFrom(batch, next - first) } : { first, batch },
    );
  }
}

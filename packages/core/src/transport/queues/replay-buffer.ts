import { batchFrom } from '../lines/batch.ts';
import { TransportError } from '../error.ts';
import { Fifo } from './fifo.ts';
import type { Batch, Outgoing } from '../transport.ts';

/** Sent but not acknowledged, in bytes: above it nothing more is taken. */
export const DEFAULT_MAX_REPLAY_BYTES = 64 * 1024 * 1024;

/** Some messages to send again, and the sequence number the first of them has. */
export interface ReplayEntry {
  readonly first: number;
  readonly batch: Batch;
}

/** Messages that were sent and not acknowledged, so that a resuming transport can send them again. No timers, no I/O. */
export interface ReplayBuffer {
  /** The sequence number of the last message added; the first one is 1. */
  readonly last: number;
  /** The highest sequence number acknowledged, 0 before any. */
  readonly acknowledged: number;
  /** What is not acknowledged, in UTF-16 units of the text, which is never more than its bytes. */
  readonly bytes: number;
  /**
   * Keeps a batch and gives the sequence number of its first message. Throws a `TransportError` of code `overflow`, and keeps
   * nothing of it, when the buffer would pass its limit; a batch into an empty buffer is always kept.
   */
  append(batch: Batch): number;
  /** The peer has everything up to this number. An older one changes nothing; one never sent, or no integer, throws `RangeError`. */
  acknowledge(sequence: number): void;
  /** What to send again, in order, under the numbers it had. */
  unacknowledged(): readonly ReplayEntry[];
}

/** Makes an empty buffer; `maxBytes` is `DEFAULT_MAX_REPLAY_BYTES` by default. */
export function createReplayBuffer(options: { readonly maxBytes?: number } = {}): ReplayBuffer {
  return new BatchReplayBuffer(options.maxBytes ?? DEFAULT_MAX_REPLAY_BYTES);
}

/**
 * A batch as it is kept: whole, until all of it is acknowledged. Cutting it at each acknowledgement would take time that grows
 * with the square of its messages.
 */
interface Kept extends ReplayEntry {
  /** Walks the messages as they are acknowledged. */
  readonly messages: Iterator<Outgoing>;
  /** What the acknowledged ones take of its text. */
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

  append(batch: Batch): number {
    const size = batch.text.length;
    if (this.bytes > 0 && this.bytes + size > this.#maxBytes) {
      const full = `replay buffer is full: ${this.bytes} of ${this.#maxBytes} bytes wait for the peer`;
      throw new TransportError('overflow', full);
    }
    const first = this.last + 1;
    // An empty one would be left over when all is acknowledged.
    if (batch.count > 0) this.#entries.push({ first, batch, messages: batch.messages(), acknowledgedBytes: 0 });
    this.last += batch.count;
    this.bytes += size;
    return first;
  }

  acknowledge(sequence: number): void {
    // The number comes from the peer: whatever it sends, what is kept stays right.
    if (!Number.isSafeInteger(sequence) || sequence > this.last) {
      throw new RangeError(`acknowledged ${sequence}, but only ${this.last} were sent`);
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

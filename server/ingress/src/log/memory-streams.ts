import { checkDurations } from '@proto/core/network';
import { yieldToEventLoop } from '../event-loop.ts';
import { CreationOrder } from './creation-order.ts';
import { eventLogDefaults, type EventLogOptions, type Retention, type StreamsQuery, type Usage } from './event-log.ts';
import { MemoryStream } from './memory-stream.ts';
import { StepTime } from './step-time.ts';
import { exceedsLimit, isCounted, storeFull } from './store-rules.ts';

/** `expire` checks at most this many streams and events in one turn of the event loop, and fewer if they take longer; see `StepTime`. */
export const EXPIRE_SLICE = 100;

/** The streams of a memory store, and their total size. */
export class MemoryStreams {
  readonly #streams = new Map<string, MemoryStream>();
  readonly #order = new CreationOrder();
  readonly #retention: Retention;
  readonly #maxTotalBytes: number;
  #usage: Usage = { streams: 0, bytes: 0 };

  constructor(options: EventLogOptions) {
    checkDurations(options);
    const { maxAgeMs = eventLogDefaults.maxAgeMs, maxBytes = eventLogDefaults.maxBytes } = options;
    this.#retention = { maxAgeMs, maxBytes };
    this.#maxTotalBytes = options.maxTotalBytes ?? eventLogDefaults.maxTotalBytes;
  }

  get maxAgeMs(): number {
    return this.#retention.maxAgeMs;
  }

  get usage(): Usage {
    return this.#usage;
  }

  find(name: string): MemoryStream | undefined {
    return this.#streams.get(name);
  }

  /** The last sequence number of a stream; 0 for a stream without any write. */
  lastOf(name: string): number {
    return this.find(name)?.last ?? 0;
  }

  list({ before, limit }: StreamsQuery): readonly string[] {
    const names: string[] = [];
    for (const name of this.#order.newestFirst(before)) {
      if (names.length >= limit) break;
      if (isCounted(name)) names.push(name);
    }
    return names;
  }

  /**
   * Lets `work` write to a stream, which is created by its first write. `work` must call `allows` with the size that the stream would have, and must
   * write nothing if `allows` returns false. @throws EventLogError `full` if `allows` has returned false.
   */
  write<Result>(
    name: string,
    now: number,
    work: (stream: MemoryStream, allows: (bytes: number) => boolean) => Result,
  ): Result {
    const known = this.find(name);
    const stream = known ?? new MemoryStream(this.#retention);
    const before = stream.bytes;
    const used = this.#usage;
    const added = known === undefined && isCounted(name) ? 1 : 0;
    const usageWith = (bytes: number) => ({ streams: used.streams + added, bytes: used.bytes + bytes - before });
    let isAllowed = true;
    const result = work(stream, (bytes) => (isAllowed = !exceedsLimit(used, usageWith(bytes), this.#maxTotalBytes)));
    if (!isAllowed) throw storeFull(this.#maxTotalBytes);
    this.#usage = usageWith(stream.bytes);
    stream.writtenAt = now;
    if (known === undefined) {
      this.#streams.set(name, stream);
      this.#order.add(name);
    }
    return result;
  }

  /** Drops what is too old in steps, and lets other work run between the steps. Stops early when `isStopped` returns true. */
  async expire(now: () => number, isStopped: () => boolean, step = new StepTime()): Promise<void> {
    let left = EXPIRE_SLICE;
    step.begin();
    for (const [name, stream] of this.#streams) {
      for (let hasMore = true; hasMore; ) {
        const dropped = this.#expireStream(name, stream, now(), left);
        hasMore = dropped >= left;
        left -= Math.max(1, dropped);
        if (left > 0 && !step.isOver) continue;
        await yieldToEventLoop();
        if (isStopped()) return;
        left = EXPIRE_SLICE;
        step.begin();
      }
    }
  }

  /** Removes a stream that is too old, or drops up to `most` of its events. Returns how many events were dropped. */
  #expireStream(name: string, stream: MemoryStream, now: number, most: number): number {
    // Another expiry may have removed the stream between two slices.
    if (this.find(name) !== stream) return 0;
    const before = stream.bytes;
    const isTooOld = now - stream.writtenAt > this.#retention.maxAgeMs;
    const dropped = isTooOld ? 0 : stream.expire(now, most);
    if (isTooOld) {
      this.#streams.delete(name);
      this.#order.remove(name);
    }
    const left = isTooOld ? 0 : stream.bytes;
    const { streams, bytes } = this.#usage;
    this.#usage = { streams: streams - (isTooOld && isCounted(name) ? 1 : 0), bytes: bytes + left - before };
    return dropped;
  }
}

import { eventLogDefaults, type EventLogOptions, type Retention, type StreamsQuery, type Usage } from './event-log.ts';
import { MemoryStream } from './memory-stream.ts';
import { exceedsLimit, isCounted, storeFull } from './store-rules.ts';

/** The streams of a memory store, and how much they have together. */
export class MemoryStreams {
  readonly #streams = new Map<string, MemoryStream>();
  readonly #retention: Retention;
  readonly #maxTotalBytes: number;
  #usage: Usage = { streams: 0, bytes: 0 };

  constructor(options: EventLogOptions) {
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

  /** The map keeps the order of creation. */
  list({ before, limit }: StreamsQuery): readonly string[] {
    const names = [...this.#streams.keys()];
    const end = before === undefined ? names.length : Math.max(0, names.indexOf(before));
    return names.slice(0, end).filter(isCounted).reverse().slice(0, limit);
  }

  /**
   * Lets `work` write to a stream, which exists from its first write on. `work` asks `allows` for the size that the stream would have, and
   * writes nothing if the answer is false. @throws EventLogError `full` after such an answer.
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
    this.#streams.set(name, stream);
    return result;
  }

  expire(now: number): void {
    for (const [name, stream] of this.#streams) this.#expireStream(name, stream, now);
  }

  #expireStream(name: string, stream: MemoryStream, now: number): void {
    const before = stream.bytes;
    const isTooOld = now - stream.writtenAt > this.#retention.maxAgeMs;
    if (isTooOld) this.#streams.delete(name);
    else stream.expire(now);
    const left = isTooOld ? 0 : stream.bytes;
    const { streams, bytes } = this.#usage;
    this.#usage = { streams: streams - (isTooOld && isCounted(name) ? 1 : 0), bytes: bytes + left - before };
  }
}

import {
  eventLogDefaults,
  type EventLog,
  EventLogError,
  type EventLogOptions,
  type Retention,
  type StreamsQuery,
  type Usage,
} from './event-log.ts';
import { MemoryStream } from './memory-stream.ts';
import { storeFull, isCounted, exceedsLimit } from './store-rules.ts';

/** Creates a store that lives as long as its process: for tests, and for sessions whose loss does not matter. */
export function createMemoryEventLog(options: EventLogOptions = {}): EventLog {
  const { now = Date.now } = options;
  const streams = new MemoryStreams(options);
  const close = async () => streams.close();
  // Every method is async, so that an error rejects and is never thrown.
  return {
    async append(name, events) {
      return streams.write(name, now(), (stream, allows) => stream.append(events, now(), allows)) ?? [];
    },
    async read(name, after, limits) {
      return streams.find(name)?.read(after, limits) ?? { events: [], last: 0 };
    },
    find: async (name, id) => streams.find(name)?.find(id),
    readDocument: async (name, document) => streams.find(name)?.readDocument(document),
    async writeDocument(name, document, text) {
      streams.write(name, now(), (stream, allows) => stream.writeDocument(document, text, allows));
    },
    expire: async () => streams.expire(now()),
    listStreams: async (query) => streams.list(query),
    usage: async () => streams.usage,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The streams of a memory store, and how much they have together. Every method but `close` throws after `close`. */
class MemoryStreams {
  readonly #streams = new Map<string, MemoryStream>();
  readonly #retention: Retention;
  readonly #maxTotalBytes: number;
  #usage: Usage = { streams: 0, bytes: 0 };
  #isClosed = false;

  constructor(options: EventLogOptions) {
    const { maxAgeMs = eventLogDefaults.maxAgeMs, maxBytes = eventLogDefaults.maxBytes } = options;
    this.#retention = { maxAgeMs, maxBytes };
    this.#maxTotalBytes = options.maxTotalBytes ?? eventLogDefaults.maxTotalBytes;
  }

  get usage(): Usage {
    this.#checkOpen();
    return this.#usage;
  }

  find(name: string): MemoryStream | undefined {
    this.#checkOpen();
    return this.#streams.get(name);
  }

  /** The map keeps the order of creation. */
  list({ before, limit }: StreamsQuery): readonly string[] {
    this.#checkOpen();
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
    this.#checkOpen();
    for (const [name, stream] of this.#streams) this.#expireStream(name, stream, now);
  }

  close(): void {
    this.#isClosed = true;
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

  #checkOpen(): void {
    if (this.#isClosed) throw new EventLogError('closed', 'event log: used after its end');
  }
}

import { eventLogDefaults, type EventLog, EventLogError, type EventLogOptions, type Usage } from './event-log.ts';
import { MemoryStream } from './memory-stream.ts';
import { storeFull, isCounted, exceedsLimit } from './store-rules.ts';

/** A store that lives as long as its process: for tests, and for sessions whose loss does not matter. */
export function createMemoryEventLog(options: EventLogOptions = {}): EventLog {
  const { now = Date.now, maxAgeMs = eventLogDefaults.maxAgeMs } = options;
  const { maxBytes = eventLogDefaults.maxBytes, maxTotalBytes = eventLogDefaults.maxTotalBytes } = options;
  const streams = new Map<string, MemoryStream>();
  let used: Usage = { streams: 0, bytes: 0 };
  let closed = false;

  const open = () => {
    if (closed) throw new EventLogError('closed', 'event log: used after its end');
  };
  /** Does a write to a stream, which comes into being with it, unless the write is told that there would be too much. */
  const write = <Result>(name: string, work: (stream: MemoryStream, allows: (bytes: number) => boolean) => Result) => {
    open();
    const known = streams.get(name);
    const stream = known ?? new MemoryStream({ maxAgeMs, maxBytes });
    const before = stream.bytes;
    const isNew = known === undefined && isCounted(name);
    const withBytes = (bytes: number) => ({
      streams: used.streams + (isNew ? 1 : 0),
      bytes: used.bytes + bytes - before,
    });
    let allowed = true;
    const result = work(stream, (bytes) => (allowed = !exceedsLimit(used, withBytes(bytes), maxTotalBytes)));
    if (!allowed) throw storeFull(maxTotalBytes);
    used = withBytes(stream.bytes);
    stream.writtenAt = now();
    streams.set(name, stream);
    return result;
  };
  const expire = (name: string, stream: MemoryStream) => {
    const before = stream.bytes;
    const isOver = now() - stream.writtenAt > maxAgeMs;
    if (isOver) streams.delete(name);
    else stream.expire(now());
    const left = isOver ? 0 : stream.bytes;
    used = { streams: used.streams - (isOver && isCounted(name) ? 1 : 0), bytes: used.bytes + left - before };
  };
  const close = async () => void (closed = true);

  // Async throughout, so that whatever is wrong rejects.
  return {
    append: async (name, events) => write(name, (stream, allows) => stream.append(events, now(), allows)) ?? [],
    async read(name, after, limits) {
      open();
      return streams.get(name)?.read(after, limits) ?? { events: [], last: 0 };
    },
    async find(name, id) {
      open();
      return streams.get(name)?.find(id);
    },
    async readDocument(name, document) {
      open();
      return streams.get(name)?.readDocument(document);
    },
    writeDocument: async (name, document, text) =>
      void write(name, (stream, allows) => stream.writeDocument(document, text, allows)),
    async expire() {
      open();
      for (const [name, stream] of streams) expire(name, stream);
    },
    async usage() {
      open();
      return used;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

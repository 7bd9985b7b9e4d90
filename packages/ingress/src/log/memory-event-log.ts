import {
  type Appended,
  DEFAULT_MAX_EVENT_AGE_MS,
  DEFAULT_MAX_STREAM_BYTES,
  type EventLog,
  type EventLogOptions,
  type NewEvent,
  type Retention,
  type StoredEvent,
} from './event-log.ts';
import { EventLogError } from './event-log-error.ts';
import { pageOf } from './page.ts';

/** A store that lives as long as its process: for tests, and for sessions whose loss does not matter. */
export function createMemoryEventLog(options: EventLogOptions = {}): EventLog {
  const { now = Date.now, maxAgeMs = DEFAULT_MAX_EVENT_AGE_MS, maxBytes = DEFAULT_MAX_STREAM_BYTES } = options;
  const streams = new Map<string, Stream>();
  let closed = false;

  const open = () => {
    if (closed) throw new EventLogError('closed', 'event log: used after its end');
  };
  const written = (name: string) => {
    open();
    let stream = streams.get(name);
    if (stream === undefined) streams.set(name, (stream = new Stream({ maxAgeMs, maxBytes })));
    stream.writtenAt = now();
    return stream;
  };
  const close = async () => void (closed = true);

  // Async throughout, so that whatever is wrong rejects.
  return {
    append: async (name, events) => written(name).append(events, now()),
    async read(name, after, limits) {
      open();
      return streams.get(name)?.read(after, limits) ?? { events: [], last: 0 };
    },
    async readDocument(name, document) {
      open();
      return streams.get(name)?.documents.get(document);
    },
    writeDocument: async (name, document, text) => void written(name).documents.set(document, text),
    async expire() {
      open();
      for (const [name, stream] of streams) {
        if (now() - stream.writtenAt > maxAgeMs) streams.delete(name);
        else stream.drop(now());
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

class Stream {
  readonly documents = new Map<string, string>();
  writtenAt = 0;
  readonly #retention: Retention;
  /** By age. An id outlives its event where the bytes were too many. */
  readonly #ids = new Map<string, { readonly sequence: number; readonly createdAt: number }>();
  #events: StoredEvent[] = [];
  /** Where the events that are kept begin. */
  #start = 0;
  #bytes = 0;
  #last = 0;

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  append(events: readonly NewEvent[], createdAt: number): Appended[] {
    const appended = events.map((event) => {
      const known = this.#ids.get(event.id);
      if (known !== undefined) return { id: event.id, ...known, duplicate: true };
      const sequence = ++this.#last;
      this.#ids.set(event.id, { sequence, createdAt });
      this.#events.push({ ...event, sequence, createdAt });
      this.#bytes += Buffer.byteLength(event.payload);
      return { id: event.id, sequence, createdAt, duplicate: false };
    });
    this.drop(createdAt);
    return appended;
  }

  read(after: number, limits = {}) {
    const first = this.#last - (this.#events.length - this.#start) + 1;
    const from = this.#start + Math.max(0, after + 1 - first);
    return pageOf(this.#from(from), { after, first, last: this.#last }, limits);
  }

  *#from(index: number): Generator<StoredEvent> {
    for (let at = index; at < this.#events.length; at++) yield this.#events[at] as StoredEvent;
  }

  drop(now: number): void {
    const { maxAgeMs, maxBytes } = this.#retention;
    for (; this.#start < this.#events.length; this.#start++) {
      const { createdAt, payload } = this.#events[this.#start] as StoredEvent;
      const newest = this.#start === this.#events.length - 1;
      if (now - createdAt <= maxAgeMs && (this.#bytes <= maxBytes || newest)) break;
      this.#bytes -= Buffer.byteLength(payload);
    }
    // Now and then, so that dropping one event does not cost moving all others.
    if (this.#start > 1000 || this.#start === this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
    for (const [id, { createdAt }] of this.#ids) {
      if (now - createdAt <= maxAgeMs) break;
      this.#ids.delete(id);
    }
  }
}

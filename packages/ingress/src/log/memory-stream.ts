import type { Appended, EventPage, KnownEvent, NewEvent, ReadLimits, Retention, StoredEvent } from './event-log.ts';
import { pageOf, placementOf } from './store-rules.ts';

/** One stream of the memory store. */
export class MemoryStream {
  writtenAt = 0;
  readonly #retention: Retention;
  readonly #documents = new Map<string, string>();
  /** In the order of age. An id outlives an event that was dropped because of `maxBytes`. */
  readonly #ids = new Map<string, KnownEvent>();
  #events: StoredEvent[] = [];
  /** The index of the oldest event that is kept. */
  #start = 0;
  /** The bytes of the payloads that are kept. */
  #bytes = 0;
  #documentBytes = 0;
  #last = 0;

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  /** The bytes of payloads and documents. */
  get bytes(): number {
    return this.#bytes + this.#documentBytes;
  }

  /** The last sequence number; 0 before the first event. */
  get last(): number {
    return this.#last;
  }

  find(id: string): KnownEvent | undefined {
    return this.#ids.get(id);
  }

  /** Appends events, unless `allows` refuses the new size of the stream. Returns undefined then, and changes nothing. */
  append(events: readonly NewEvent[], createdAt: number, allows: (bytes: number) => boolean): Appended[] | undefined {
    const before = { start: this.#start, bytes: this.#bytes, last: this.#last };
    const appended = events.map((event) => this.#add(event, createdAt));
    this.#drop(createdAt);
    if (!allows(this.bytes)) {
      for (const { id } of this.#events.splice(this.#events.length - (this.#last - before.last))) this.#ids.delete(id);
      [this.#start, this.#bytes, this.#last] = [before.start, before.bytes, before.last];
      return undefined;
    }
    this.#forget(createdAt);
    return appended;
  }

  read(after: number, limits: ReadLimits = {}): EventPage {
    const first = this.#last - (this.#events.length - this.#start) + 1;
    const from = this.#start + Math.max(0, after + 1 - first);
    return pageOf(this.#from(from), { after, first, last: this.#last }, limits);
  }

  readDocument(name: string): string | undefined {
    return this.#documents.get(name);
  }

  /** Writes a document, unless `allows` refuses the new size of the stream. Returns false then, and changes nothing. */
  writeDocument(name: string, text: string, allows: (bytes: number) => boolean): boolean {
    const change = Buffer.byteLength(text) - Buffer.byteLength(this.#documents.get(name) ?? '');
    if (!allows(this.bytes + change)) return false;
    this.#documents.set(name, text);
    this.#documentBytes += change;
    return true;
  }

  /** Drops up to `most` events that are too old. Returns how many it dropped, or how many ids if these are more. */
  expire(now: number, most: number): number {
    return Math.max(this.#drop(now, most), this.#forget(now, most));
  }

  #add(event: NewEvent, createdAt: number): Appended {
    const placement = placementOf(event, (id) => this.#ids.get(id));
    if ('found' in placement) return placement.found;
    const id = placement.keepAs;
    const { type, source, payload, attributes, owner, topic } = event;
    const sequence = ++this.#last;
    const known = { ...(owner !== undefined && { owner }), ...(topic !== undefined && { topic }) };
    this.#ids.set(id, { sequence, createdAt, ...known });
    this.#events.push({
      sequence,
      id,
      type,
      source,
      payload,
      ...(attributes !== undefined && { attributes }),
      ...known,
      createdAt,
    });
    this.#bytes += Buffer.byteLength(payload);
    return { id, sequence, createdAt, duplicate: false };
  }

  *#from(index: number): Generator<StoredEvent> {
    for (let at = index; at < this.#events.length; at++) yield this.#events[at] as StoredEvent;
  }

  /** Returns how many events were dropped. */
  #drop(now: number, most = Infinity): number {
    const { maxAgeMs, maxBytes } = this.#retention;
    const end = this.#start + most;
    const before = this.#start;
    for (; this.#start < this.#events.length; this.#start++) {
      if (this.#start >= end) break;
      const { createdAt, payload } = this.#events[this.#start] as StoredEvent;
      const newest = this.#start === this.#events.length - 1;
      if (now - createdAt <= maxAgeMs && (this.#bytes <= maxBytes || newest)) break;
      this.#bytes -= Buffer.byteLength(payload);
    }
    return this.#start - before;
  }

  /** Removes dropped events, and ids that are too old. Returns how many ids were removed. */
  #forget(now: number, most = Infinity): number {
    // Only now and then, because each removal moves all other events.
    if (this.#start > 1000 || this.#start === this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
    let count = 0;
    for (const [id, { createdAt }] of this.#ids) {
      if (count >= most || now - createdAt <= this.#retention.maxAgeMs) break;
      this.#ids.delete(id);
      count++;
    }
    return count;
  }
}

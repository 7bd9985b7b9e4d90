import type { Appended, EventPage, KnownEvent, NewEvent, ReadLimits, Retention, StoredEvent } from './event-log.ts';
import { OldestFirst } from '../oldest-first.ts';
import { pageOf, placementOf, storedEvent } from './store-rules.ts';

export class MemoryStream {
  writtenAt = 0;
  readonly #retention: Retention;
  readonly #documents = new Map<string, string>();
  /** In the order of age: the kept events themselves, and the facts about those that were dropped because of `maxBytes`, which their ids outlive. */
  readonly #ids = new Map<string, KnownEvent>();
  readonly #oldestId = new OldestFirst(this.#ids);
  /** Undefined in place of a dropped event. */
  #events: (StoredEvent | undefined)[] = [];
  /** The index of the oldest event that is kept. */
  #start = 0;
  /** Up to this index the events were given free. */
  #freed = 0;
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
    const known = this.#ids.get(id);
    return known && factsOf(known);
  }

  /** Appends events, unless `allows` refuses the new size of the stream. Returns undefined then, and changes nothing. */
  append(events: readonly NewEvent[], createdAt: number, allows: (bytes: number) => boolean): Appended[] | undefined {
    const before = { start: this.#start, bytes: this.#bytes, last: this.#last };
    const appended = events.map((event) => this.#add(event, createdAt));
    this.#drop(createdAt);
    if (!allows(this.bytes)) {
      const added = this.#events.splice(this.#events.length - (this.#last - before.last));
      for (const event of added) if (event !== undefined) this.#ids.delete(event.id);
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
    const sequence = ++this.#last;
    const stored = storedEvent(event, { id, sequence, createdAt });
    // An owner or topic that is undefined counts as absent.
    this.#ids.set(id, stored as KnownEvent);
    this.#events.push(stored);
    this.#bytes += Buffer.byteLength(event.payload);
    return { id, sequence, createdAt, duplicate: false };
  }

  *#from(index: number): Generator<StoredEvent> {
    for (let at = index; at < this.#events.length; at++) yield this.#events[at] as StoredEvent;
  }

  #drop(now: number, most = Infinity): number {
    const { maxAgeMs, maxBytes } = this.#retention;
    const end = this.#start + most;
    const before = this.#start;
    for (; this.#start < this.#events.length; this.#start++) {
      if (this.#start >= end) break;
      const event = this.#events[this.#start] as StoredEvent;
      const { id, createdAt, payload } = event;
      const newest = this.#start === this.#events.length - 1;
      if (now - createdAt <= maxAgeMs && (this.#bytes <= maxBytes || newest)) break;
      this.#bytes -= Buffer.byteLength(payload);
      this.#ids.set(id, factsOf(event as KnownEvent));
    }
    return this.#start - before;
  }

  /** Removes dropped events, and ids that are too old. Returns how many ids were removed. */
  #forget(now: number, most = Infinity): number {
    for (; this.#freed < this.#start; this.#freed++) this.#events[this.#freed] = undefined;
    // Only when half of the list is empty, because each removal moves all other events.
    if (this.#start > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#start);
      this.#start = this.#freed = 0;
    }
    let count = 0;
    for (let id = this.#oldestId.key; id !== undefined && count < most; id = this.#oldestId.key, count++) {
      const { createdAt } = this.#ids.get(id) as KnownEvent;
      if (now - createdAt <= this.#retention.maxAgeMs) break;
      this.#ids.delete(id);
    }
    return count;
  }
}

function factsOf({ sequence, createdAt, owner, topic }: KnownEvent): KnownEvent {
  return { sequence, createdAt, ...(owner !== undefined && { owner }), ...(topic !== undefined && { topic }) };
}

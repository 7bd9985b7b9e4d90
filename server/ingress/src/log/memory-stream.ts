import type { Appended, EventPage, KnownEvent, NewEvent, ReadLimits, Retention, StoredEvent } from './event-log.ts';
import { OldestFirst } from '../oldest-first.ts';
import { pageOf, placementOf, storedEvent } from './store-rules.ts';

export class MemoryStream {
  writtenAt = 0;
  readonly #retention: Retention;
  readonly #documents = new Map<string, string>();
  /** What is known about each id, oldest first: the event while it is kept, or only its facts if `maxBytes` has caused it to be dropped. */
  readonly #ids = new Map<string, KnownEvent>();
  readonly #oldestId = new OldestFirst(this.#ids);
  /** The events; undefined replaces a dropped event. */
  #events: (StoredEvent | undefined)[] = [];
  #firstKept = 0;
  #freedBefore = 0;
  #keptBytes = 0;
  #documentBytes = 0;
  #last = 0;

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  /** The bytes of payloads and documents. */
  get bytes(): number {
    return this.#keptBytes + this.#documentBytes;
  }

  /** The last sequence number; 0 before the first event. */
  get last(): number {
    return this.#last;
  }

  find(id: string): KnownEvent | undefined {
    const known = this.#ids.get(id);
    return known && factsOf(known);
  }

  /** Appends events, unless `allows` refuses the new size of the stream. In that case the method returns undefined and changes nothing. */
  append(events: readonly NewEvent[], createdAt: number, allows: (bytes: number) => boolean): Appended[] | undefined {
    const before = { start: this.#firstKept, bytes: this.#keptBytes, last: this.#last };
    const appended = events.map((event) => this.#add(event, createdAt));
    this.#drop(createdAt);
    if (!allows(this.bytes)) {
      const added = this.#events.splice(this.#events.length - (this.#last - before.last));
      for (const event of added) if (event !== undefined) this.#ids.delete(event.id);
      [this.#firstKept, this.#keptBytes, this.#last] = [before.start, before.bytes, before.last];
      return undefined;
    }
    this.#forget(createdAt);
    return appended;
  }

  read(after: number, limits: ReadLimits = {}): EventPage {
    const first = this.#last - (this.#events.length - this.#firstKept) + 1;
    const from = this.#firstKept + Math.max(0, after + 1 - first);
    return pageOf(this.#from(from), { after, first, last: this.#last }, limits);
  }

  readDocument(name: string): string | undefined {
    return this.#documents.get(name);
  }

  /** Writes a document, unless `allows` refuses the new size of the stream. In that case the method returns false and changes nothing. */
  writeDocument(name: string, text: string, allows: (bytes: number) => boolean): boolean {
    const change = Buffer.byteLength(text) - Buffer.byteLength(this.#documents.get(name) ?? '');
    if (!allows(this.bytes + change)) return false;
    this.#documents.set(name, text);
    this.#documentBytes += change;
    return true;
  }

  /** Drops up to `most` events that are too old. Returns the number of dropped events or the number of removed ids, whichever is greater. */
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
    this.#keptBytes += Buffer.byteLength(event.payload);
    return { id, sequence, createdAt, duplicate: false };
  }

  *#from(index: number): Generator<StoredEvent> {
    for (let at = index; at < this.#events.length; at++) yield this.#events[at] as StoredEvent;
  }

  #drop(now: number, most = Infinity): number {
    const { maxAgeMs, maxBytes } = this.#retention;
    const end = this.#firstKept + most;
    const before = this.#firstKept;
    for (; this.#firstKept < this.#events.length; this.#firstKept++) {
      if (this.#firstKept >= end) break;
      const event = this.#events[this.#firstKept] as StoredEvent;
      const { id, createdAt, payload } = event;
      const newest = this.#firstKept === this.#events.length - 1;
      if (now - createdAt <= maxAgeMs && (this.#keptBytes <= maxBytes || newest)) break;
      this.#keptBytes -= Buffer.byteLength(payload);
      this.#ids.set(id, factsOf(event as KnownEvent));
    }
    return this.#firstKept - before;
  }

  /** Removes the ids that are too old. Returns how many ids were removed. */
  #forget(now: number, most = Infinity): number {
    for (; this.#freedBefore < this.#firstKept; this.#freedBefore++) this.#events[this.#freedBefore] = undefined;
    // The list is shortened only when half of it is empty, because each removal moves all other events.
    if (this.#firstKept > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#firstKept);
      this.#firstKept = this.#freedBefore = 0;
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

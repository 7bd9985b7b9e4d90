import type { EventLog, StoredEvent } from '../log/event-log.ts';
import { EventReader, type ReaderContext, type Wants } from '../stream/event-reader.ts';
import type { EventSink } from '../stream/event-sink.ts';
import { eventFrame } from '../stream/frames.ts';

/** What all readers of a session have in common. */
export interface ReadersContext {
  readonly log: EventLog;
  readonly stallTimeoutMs: number;
}

/** The event streams of a session that are open now. */
export class Readers {
  readonly #ofViewers: ReaderContext;
  readonly #ofWorkers: ReaderContext;
  readonly #viewers = new Set<EventReader>();
  readonly #workers = new Set<EventReader>();

  /** `pushed` tells the last event that was handed to `push`. */
  constructor(context: ReadersContext, stream: string, pushed: () => number) {
    const { log, stallTimeoutMs } = context;
    this.#ofViewers = { log, stream, pushed, stallTimeoutMs, tellsTruncation: true };
    this.#ofWorkers = { log, stream, pushed, stallTimeoutMs, tellsTruncation: false };
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  get size(): number {
    return this.#viewers.size + this.#workers.size;
  }

  addViewer(sink: EventSink, cursor: number, wants: Wants): void {
    add(this.#viewers, new EventReader(this.#ofViewers, sink, cursor, wants));
  }

  /** One stream of a worker at a time: the one before is of a link that it has given up. */
  addWorker(sink: EventSink, cursor: number, wants: Wants): void {
    this.endWorkers();
    add(this.#workers, new EventReader(this.#ofWorkers, sink, cursor, wants));
  }

  /** An event was stored. Readers that are live get it now, the others find it in the log. */
  push(event: StoredEvent): void {
    const frame = eventFrame(event);
    for (const reader of this.#viewers) reader.push(event, frame);
    for (const reader of this.#workers) reader.push(event, frame);
  }

  /** Says something to the viewers that read now. */
  tellViewers(frame: string): void {
    for (const reader of this.#viewers) reader.tell(frame);
  }

  keepAlive(): void {
    for (const reader of this.#all()) reader.keepAlive();
  }

  endWorkers(): void {
    for (const { sink } of this.#workers) sink.end();
  }

  endAll(): void {
    for (const { sink } of this.#all()) sink.end();
  }

  #all(): readonly EventReader[] {
    return [...this.#viewers, ...this.#workers];
  }
}

function add(readers: Set<EventReader>, reader: EventReader): void {
  if (reader.sink.isGone) return;
  readers.add(reader);
  reader.sink.onceGone(() => readers.delete(reader));
}

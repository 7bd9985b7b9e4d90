import type { EventLog, StoredEvent } from '../log/event-log.ts';
import { EventReader, type ReaderOptions } from '../stream/event-reader.ts';
import { eventFrame } from '../stream/frames.ts';

/** What all readers of a session have in common. */
export interface ReadersContext {
  readonly log: EventLog;
  readonly stallTimeoutMs: number;
}

/** What one reader is beside that. */
type Reading = Pick<ReaderOptions, 'sink' | 'cursor' | 'wants'>;

/** The event streams of a session that are open now. */
export class Readers {
  readonly #context: ReadersContext;
  readonly #stream: string;
  readonly #pushed: () => number;
  readonly #viewers = new Set<EventReader>();
  readonly #workers = new Set<EventReader>();

  /** `pushed` tells the last event that was handed to `push`. */
  constructor(context: ReadersContext, stream: string, pushed: () => number) {
    this.#context = context;
    this.#stream = stream;
    this.#pushed = pushed;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  get size(): number {
    return this.#viewers.size + this.#workers.size;
  }

  addViewer(reading: Reading): void {
    this.#add(this.#viewers, reading, true);
  }

  /** One stream of a worker at a time: the one before is of a link that it has given up. */
  addWorker(reading: Reading): void {
    this.endWorkers();
    this.#add(this.#workers, reading, false);
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

  #add(readers: Set<EventReader>, reading: Reading, tellsTruncation: boolean): void {
    const { log, stallTimeoutMs } = this.#context;
    const pushed = this.#pushed;
    const reader = new EventReader({ ...reading, log, stream: this.#stream, pushed, tellsTruncation, stallTimeoutMs });
    if (reading.sink.isGone) return;
    readers.add(reader);
    reading.sink.onceGone(() => readers.delete(reader));
  }
}

import type { Clock } from '@proto/core/reconnect';
import type { Account } from '../auth/accounts.ts';
import type { EventLog, StoredEvent } from '../log/event-log.ts';
import { EventReader, type ReaderContext, type Reading } from '../stream/event-reader.ts';
import type { EndReason } from '../stream/event-sink.ts';
import type { LiveFrame, ReadableEvent, StreamFormat } from '../stream/stream-format.ts';

/** What all subscribers of a session share. */
export interface SubscribersContext {
  readonly log: EventLog;
  readonly stream: string;
  /** The sequence number of the last event that was passed to `push`. */
  readonly pushed: () => number;
  readonly stallTimeoutMs: number;
  readonly clock?: Clock | undefined;
  readonly endsRequest: (event: StoredEvent) => boolean;
  /** Called for a damaged event, each time that the event is read. */
  readonly onDamaged: (sequence: number) => void;
  /** Called with the number of open streams each time a stream was opened or has ended. */
  readonly onReaders?: ((stream: string, open: number) => void) | undefined;
}

/** The open event streams of a session. */
export class Subscribers {
  readonly #ofViewers: ReaderContext;
  readonly #ofWorkers: ReaderContext;
  readonly #viewers = new Set<EventReader>();
  readonly #workers = new Set<EventReader>();
  readonly #onChange: (() => void) | undefined;

  constructor(context: SubscribersContext) {
    const { log, stream, pushed, stallTimeoutMs, clock, endsRequest, onDamaged, onReaders } = context;
    this.#onChange = onReaders && (() => onReaders(stream, this.size));
    const common = { log, stream, pushed, stallTimeoutMs, clock, onDamaged };
    this.#ofViewers = { ...common, endsRequest, reportsTruncation: true };
    this.#ofWorkers = { ...common, reportsTruncation: false };
  }

  get openViewers(): Iterable<EventReader> {
    return this.#viewers;
  }

  get openWorkers(): Iterable<EventReader> {
    return this.#workers;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  get size(): number {
    return this.#viewers.size + this.#workers.size;
  }

  addViewer(reading: Reading): EventReader {
    return this.#add(this.#viewers, new EventReader(this.#ofViewers, reading));
  }

  /** Adds the stream of a worker, and ends its earlier stream: a worker has only one link at a time. */
  addWorker(reading: Reading): EventReader {
    this.endWorkers('superseded');
    return this.#add(this.#workers, new EventReader(this.#ofWorkers, reading));
  }

  /** Passes a stored event to all live subscribers. The other subscribers find the event in the log. */
  push(event: ReadableEvent): void {
    const frameFor = oncePerFormat((format) => format.event(event));
    for (const reader of this.#viewers) reader.push(event, frameFor(reader.format));
    for (const reader of this.#workers) reader.push(event, frameFor(reader.format));
  }

  /** Sends news to the live viewers. */
  sendToViewers(said: LiveFrame): void {
    const frameFor = oncePerFormat((format) => format.live(said));
    for (const reader of this.#viewers) {
      const frame = frameFor(reader.format);
      if (frame !== undefined) reader.sendLive(frame);
    }
  }

  keepAlive(): void {
    for (const reader of this.#all()) reader.keepAlive();
  }

  /** Ends the streams of accounts that may no longer read. */
  async endRevoked(whyEnded: (account: Account) => Promise<EndReason | undefined>): Promise<void> {
    const look = async ({ account, sink }: EventReader) => {
      const reason = account && (await whyEnded(account));
      if (reason !== undefined) sink.end(reason);
    };
    await Promise.all(Array.from(this.#viewers, look));
  }

  endWorkers(reason: EndReason): void {
    for (const { sink } of this.#workers) sink.end(reason);
  }

  /** Lets viewers read up to the last event of the session, and then ends their streams or sends them `session_archived`. */
  finishViewers(): void {
    for (const reader of this.#viewers) reader.finish();
  }

  endAll(): void {
    for (const { sink } of this.#all()) sink.end('draining');
  }

  #all(): readonly EventReader[] {
    return [...this.#viewers, ...this.#workers];
  }

  #add(readers: Set<EventReader>, reader: EventReader): EventReader {
    if (reader.sink.isGone) return reader;
    readers.add(reader);
    reader.sink.onceGone(() => {
      readers.delete(reader);
      this.#onChange?.();
    });
    this.#onChange?.();
    return reader;
  }
}

function oncePerFormat<Frame>(make: (format: StreamFormat) => Frame): (format: StreamFormat) => Frame {
  const made = new Map<StreamFormat, Frame>();
  return (format) => {
    if (!made.has(format)) made.set(format, make(format));
    return made.get(format) as Frame;
  };
}

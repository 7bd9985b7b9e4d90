import { systemClock } from '@proto/core/network';
import type { Clock } from '@proto/core/reconnect';
import type { Account } from '../auth/accounts.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import type { EventLog, StoredEvent } from '../log/event-log.ts';
import type { EventSink } from './event-sink.ts';
import type { ReaderCursor } from './reader-cursor.ts';
import { liveFrame, type ReadableEvent, readableEvent, type StreamFormat, type Verdict } from './stream-format.ts';

/** The values that all readers of one kind share. One object for all of them saves memory, because a session may have very many idle readers. */
export interface ReaderContext {
  readonly log: EventLog;
  readonly stream: string;
  /** The sequence number of the last event that was pushed to the readers of the session. */
  readonly pushed: () => number;
  /** Whether these readers receive `catch_up_truncated` when events are missing. */
  readonly reportsTruncation: boolean;
  /** How long a reader may read nothing before it is disconnected, in milliseconds. */
  readonly stallTimeoutMs: number;
  readonly clock?: Clock | undefined;
  /** Whether an event ended a request of the worker. Undefined for readers that do not receive this news. */
  readonly endsRequest?: ((event: StoredEvent) => boolean) | undefined;
  /** Called for a damaged event, each time that the event is read. */
  readonly onDamaged: (sequence: number) => void;
}

/** Returns whether a reader should receive an event. Called before the event is sent. */
export type Wants = (event: ReadableEvent) => boolean;

/** The options of one reader. */
export interface Reading {
  /** The account of a viewer; undefined for a worker. */
  readonly account?: Account | undefined;
  readonly sink: EventSink;
  readonly format: StreamFormat;
  /** The last event that the reader already has. */
  readonly cursor: ReaderCursor;
  readonly wants: Wants;
}

/**
 * One event stream: a cursor over the log. States: *catching up* (reads the log, at the pace of its sink) -> *live* (receives appended events through
 * `push`) -> back to catching up when its sink is full -> *gone*. The change to live is synchronous, so no event is appended in between. Every event
 * that was pushed earlier is either at or before the cursor, or still in the log.
 */
export class EventReader {
  readonly account: Account | undefined;
  readonly sink: EventSink;
  readonly format: StreamFormat;
  readonly #context: ReaderContext;
  readonly #wants: Wants;
  #cursor: number;
  #live = false;
  #finishing = false;
  /** Whether the frame `session_archived` was sent. */
  #hasFinished = false;
  readonly #clock: Clock;
  #stalled: unknown;

  constructor(context: ReaderContext, { account, sink, format, cursor, wants }: Reading) {
    this.#context = context;
    this.#clock = context.clock ?? systemClock;
    this.account = account;
    this.sink = sink;
    this.format = format;
    this.#cursor = cursor.sequence;
    this.#wants = wants;
    void this.#begin(cursor.log);
  }

  /** The last event that was written to the sink or was not for this reader. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Passes on an appended event with its frame. A reader that is not live finds the event in the log. */
  push(event: ReadableEvent, frame: string): void {
    if (!this.#live || event.sequence <= this.#cursor) return;
    this.#cursor = event.sequence;
    if (this.#wants(event)) this.#write(frame);
  }

  /** Sends a frame that is not in the log. A reader that is catching up does not receive the frame. */
  sendLive(frame: string): void {
    if (this.#live) this.#write(frame);
  }

  keepAlive(): void {
    // A full sink already has enough unread text, so it needs no keep-alive.
    if (this.#stalled === undefined) this.#say(this.format.keepalive);
  }

  /** Ends the stream after the last event of the session, or sends `session_archived` if the format has that frame. */
  finish(): void {
    this.#finishing = true;
    if (!this.#live || this.#hasFinished) return;
    this.#hasFinished = true;
    const frame = this.format.live(liveFrame('session_archived', {}));
    if (frame === undefined) this.sink.end('archived');
    else this.#write(frame);
  }

  #say(frame: string | undefined): void {
    if (frame !== undefined) this.sink.write(frame);
  }

  #write(frame: string): void {
    if (this.sink.write(frame)) return;
    this.#live = false;
    void this.#catchUp();
  }

  async #begin(named: string | undefined): Promise<void> {
    // The first keep-alive is sent at once, so that no proxy mistakes the silence for a dead server.
    this.#say(this.format.keepalive);
    try {
      await this.#greet(named);
    } catch {
      this.sink.end('failed');
      return;
    }
    await this.#catchUp();
  }

  /** Reports to the reader whether events after its cursor are missing. `named` is the identity of the log from which the reader's cursor comes. */
  async #greet(named: string | undefined): Promise<void> {
    const { log, stream, reportsTruncation } = this.#context;
    // After a backup has been restored, the log has different events under the numbers after the last event of the backup.
    const common = named === undefined || named === log.identity ? Infinity : await log.commonWith(stream, named);
    const { missing, last } = await log.read(stream, this.#cursor, { maxEvents: 1 });
    const known = Math.min(common, last);
    if (this.#cursor > known) {
      const lost = { from: known + 1, to: this.#cursor };
      this.#cursor = known;
      this.#verdict({ verdict: 'gap', reason: 'unknown_cursor', ...lost });
      if (reportsTruncation) this.#say(this.format.live(liveFrame('catch_up_truncated', {})));
    } else if (missing === undefined) this.#verdict({ verdict: 'ok' });
    else this.#verdict({ verdict: 'gap', reason: 'evicted', ...missing });
  }

  #verdict(verdict: Verdict): void {
    this.#say(this.format.verdict(verdict, { cursor: this.#cursor, log: this.#context.log.identity }));
  }

  async #catchUp(): Promise<void> {
    const { log, stream, pushed, reportsTruncation } = this.#context;
    const { format } = this;
    try {
      while (!this.sink.isGone) {
        await this.#drained();
        const { events: found, missing } = await log.read(stream, this.#cursor);
        // The store contains an event slightly before the session knows about it, and until then it is unknown whether the event is for this reader.
        // Such an event will be pushed later.
        const events = found.filter(({ sequence }) => sequence <= pushed());
        if (missing !== undefined) {
          this.#cursor = missing.to;
          if (reportsTruncation) this.#say(format.live(liveFrame('catch_up_truncated', missing)));
        }
        this.#replay(events);
        if (this.#cursor >= pushed() && this.#caughtUp(events)) return this.#goLive();
        // Lets other work run between the pages of a long log.
        await yieldToEventLoop();
      }
    } catch {
      // The store failed. The client will connect again with its cursor.
      this.sink.end('failed');
    }
  }

  #replay(events: readonly StoredEvent[]): void {
    for (const stored of events) {
      this.#cursor = stored.sequence;
      const event = readableEvent(stored);
      if (event === undefined) this.#context.onDamaged(stored.sequence);
      else if (this.#wants(event) && !this.sink.write(this.#replayed(event))) return;
    }
  }

  #replayed(event: ReadableEvent): string {
    const endsRequest = this.#context.endsRequest?.(event) === true;
    return this.format.replayed(endsRequest ? { ...event, endsRequest } : event);
  }

  #goLive(): void {
    this.#live = true;
    if (this.#finishing) this.finish();
  }

  #caughtUp(events: readonly StoredEvent[]): boolean {
    return (events.at(-1)?.sequence ?? 0) <= this.#cursor;
  }

  async #drained(): Promise<void> {
    this.#stalled = this.#clock.setTimeout(() => this.sink.end('stalled'), this.#context.stallTimeoutMs);
    try {
      await this.sink.drained();
    } finally {
      this.#clock.clearTimeout(this.#stalled);
      this.#stalled = undefined;
    }
  }
}

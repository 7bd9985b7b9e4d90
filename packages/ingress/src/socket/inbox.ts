import { type Clock, systemClock } from '@proto/core/internal';
import type { LogLink, ReceivedLine } from '@proto/transport-websocket';
import { yieldToEventLoop } from '../event-loop.ts';
import { EventLogError } from '../log/event-log.ts';

/** What may wait to be stored, in UTF-16 units, before the socket is not read for a while. */
const MAX_WAITING = 1024 * 1024;
/** What a line costs beside its text, in the same: there may be very many that say next to nothing. */
const LINE_COST = 64;
/** Lines stored at once. */
const MAX_LINES = 1000;
/** What is stored at once, in UTF-16 units; one line at least. */
const MAX_UNITS = 1024 * 1024;
const [FAILED, FULL] = [1011, 1013];

/** What an inbox is made with. */
export interface InboxOptions {
  readonly store: (lines: readonly ReceivedLine[]) => Promise<void>;
  /** Counts bytes that have come; gives the milliseconds for which no more is read. */
  readonly owe: (bytes: number) => number;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock | undefined;
}

/** What comes over one link, stored in order, one write at a time; acknowledged when it is kept. */
export class Inbox {
  readonly #link: LogLink;
  readonly #options: InboxOptions;
  readonly #clock: Clock;
  #waiting: ReceivedLine[] = [];
  /** Those before this place are being stored, or are. */
  #next = 0;
  #size = 0;
  #isStoring = false;
  #isPaused = false;
  /** Set while no more is read because too much came in a second. */
  #restTimer: unknown;

  constructor(link: LogLink, options: InboxOptions) {
    this.#link = link;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  push(lines: readonly ReceivedLine[]): void {
    for (const line of lines) {
      this.#waiting.push(line);
      this.#size += costOf(line);
    }
    this.#listen();
    if (!this.#isStoring) void this.#work();
  }

  /** So many bytes came over the connection, whatever they say. */
  received(bytes: number): void {
    const ms = this.#options.owe(bytes);
    if (ms <= 0) return;
    this.#clock.clearTimeout(this.#restTimer);
    this.#restTimer = this.#clock.setTimeout(() => {
      this.#restTimer = undefined;
      this.#listen();
    }, ms);
    this.#listen();
  }

  /** Nothing more comes. */
  end(): void {
    this.#clock.clearTimeout(this.#restTimer);
  }

  /** Reads on, or reads no more until there is room and time. */
  #listen(): void {
    const isPaused = this.#size > MAX_WAITING || this.#restTimer !== undefined;
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#link.pause();
    else this.#link.resume();
  }

  async #work(): Promise<void> {
    this.#isStoring = true;
    try {
      while (this.#next < this.#waiting.length && !this.#link.isEnded) {
        const lines = this.#take();
        await this.#options.store(lines);
        const last = lines.at(-1)?.id;
        if (last !== undefined) this.#link.acknowledge(last);
        for (const line of lines) this.#size -= costOf(line);
        this.#listen();
        // A store in memory settles without returning to the event loop, so other clients would have to wait.
        if (this.#next < this.#waiting.length) await yieldToEventLoop();
      }
    } catch (error) {
      // Nothing of these lines is kept: who can, sends them again.
      this.#options.onError(error);
      this.#link.close(EventLogError.is(error) && error.code === 'full' ? FULL : FAILED);
    } finally {
      this.#waiting = [];
      this.#next = 0;
      this.#isStoring = false;
    }
  }

  #take(): readonly ReceivedLine[] {
    const lines: ReceivedLine[] = [];
    let units = 0;
    while (this.#next < this.#waiting.length && lines.length < MAX_LINES) {
      const line = this.#waiting[this.#next] as ReceivedLine;
      units += line.text?.length ?? 0;
      if (lines.length > 0 && units > MAX_UNITS) break;
      lines.push(line);
      this.#next++;
    }
    // What was taken is let go of, now and then, so that this does not cost moving the rest each time.
    if (this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    return lines;
  }
}

function costOf({ text = '' }: ReceivedLine): number {
  return LINE_COST + text.length;
}

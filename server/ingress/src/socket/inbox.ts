import { systemClock } from '@proto/core/network';
import type { Clock } from '@proto/core/reconnect';
import type { ServerConnection, ReceivedLine } from '@proto/transport-websocket';
import { yieldToEventLoop } from '../event-loop.ts';
import { isFenced } from '../http/refusal.ts';
import { EventLogError } from '../log/event-log.ts';

const MAX_WAITING_UNITS = 1024 * 1024;
/** The cost of a line in addition to its text, in UTF-16 units, because there may be very many short lines. */
const LINE_COST = 64;
const MAX_LINES = 1000;
const MAX_WRITE_UNITS = 1024 * 1024;
const [FAILED, MOVED, FULL] = [1011, 1012, 1013];

/** How an inbox stores lines and counts bytes. */
export interface InboxOptions {
  readonly store: (lines: readonly ReceivedLine[]) => Promise<void>;
  /** Counts bytes that have arrived. Returns for how many milliseconds to stop reading. */
  readonly owe: (bytes: number) => number;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock | undefined;
}

/** Stores the lines of one link in order, one write at a time, and acknowledges them after they are stored. */
export class Inbox {
  readonly #link: ServerConnection;
  readonly #options: InboxOptions;
  readonly #clock: Clock;
  #waiting: ReceivedLine[] = [];
  #nextToStore = 0;
  #size = 0;
  #isStoring = false;
  #isPaused = false;
  #rateTimer: unknown;

  constructor(link: ServerConnection, options: InboxOptions) {
    this.#link = link;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  push(lines: readonly ReceivedLine[]): void {
    for (const line of lines) {
      this.#waiting.push(line);
      this.#size += costOf(line);
    }
    this.#pauseOrResume();
    if (!this.#isStoring) void this.#work();
  }

  /** Counts bytes that arrived over the connection. */
  received(bytes: number): void {
    const ms = this.#options.owe(bytes);
    if (ms <= 0) return;
    this.#clock.clearTimeout(this.#rateTimer);
    this.#rateTimer = this.#clock.setTimeout(() => {
      this.#rateTimer = undefined;
      this.#pauseOrResume();
    }, ms);
    this.#pauseOrResume();
  }

  end(): void {
    this.#clock.clearTimeout(this.#rateTimer);
  }

  #pauseOrResume(): void {
    const isPaused = this.#size > MAX_WAITING_UNITS || this.#rateTimer !== undefined;
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#link.pause();
    else this.#link.resume();
  }

  async #work(): Promise<void> {
    this.#isStoring = true;
    try {
      while (this.#nextToStore < this.#waiting.length && !this.#link.isEnded) {
        const lines = this.#take();
        await this.#options.store(lines);
        const last = lines.at(-1)?.id;
        if (last !== undefined) this.#link.acknowledge(last);
        for (const line of lines) this.#size -= costOf(line);
        this.#pauseOrResume();
        // A store in memory settles without giving the event loop a turn, which would block other clients.
        if (this.#nextToStore < this.#waiting.length) await yieldToEventLoop();
      }
    } catch (error) {
      // These lines were not stored. A client with a resumable link sends them again.
      if (!isFenced(error)) this.#options.onError(error);
      this.#link.close(closeCodeOf(error));
    } finally {
      this.#waiting = [];
      this.#nextToStore = 0;
      this.#isStoring = false;
    }
  }

  #take(): readonly ReceivedLine[] {
    const lines: ReceivedLine[] = [];
    let units = 0;
    while (this.#nextToStore < this.#waiting.length && lines.length < MAX_LINES) {
      const line = this.#waiting[this.#nextToStore] as ReceivedLine;
      units += line.text?.length ?? 0;
      if (lines.length > 0 && units > MAX_WRITE_UNITS) break;
      lines.push(line);
      this.#nextToStore++;
    }
    // Finished lines are removed only occasionally, because each removal moves all other lines.
    if (this.#nextToStore * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#nextToStore);
      this.#nextToStore = 0;
    }
    return lines;
  }
}

function closeCodeOf(error: unknown): number {
  if (isFenced(error)) return MOVED;
  return EventLogError.is(error) && error.code === 'full' ? FULL : FAILED;
}

function costOf({ text = '' }: ReceivedLine): number {
  return LINE_COST + text.length;
}

import { type Clock, systemClock } from '../async/deadline.ts';
import { checkDurations } from '../async/timer.ts';

// Three times as long as servers wait before they ping or send a comment.
const DEFAULT_SILENCE_MS = 45_000;
const BEATS_PER_SILENCE = 3;

/** The limits of a heartbeat. */
export interface HeartbeatOptions {
  /**
   * How long a link may be silent before it counts as lost, in milliseconds. Default 45 000. With 0, the link never counts as lost, and `onBeat` is
   * never called.
   */
  readonly silenceMs?: number | undefined;
  /** The clock and timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock | undefined;
}

/** The actions of a link's owner at each beat, and after silence. */
export interface HeartbeatEvents {
  /** Called three times during `silenceMs`. Must send a sign of life, or request a sign of life from the other side. */
  onBeat(): void;
  /** Called once, when nothing has arrived for `silenceMs`. Must drop the link. The link is no longer watched. */
  onSilence(): void;
  /**
   * Whether silence counts now. Set this to false if the other side cannot be asked for a sign of life, and while this side does not read. Default
   * true.
   */
  readonly countsSilence?: boolean;
}

/** Watches one link, and keeps it alive. */
export interface Heartbeat {
  /** Call this when something has arrived, because any byte is a sign of life, and when this side resumes reading. */
  onReceived(): void;
  /** Stops watching. Call this when the link is gone. */
  stop(): void;
}

/**
 * Starts to watch a link. The heartbeat counts beats instead of measuring the time, because a process that sleeps or is busy receives nothing. After
 * a sleep, the other side is therefore asked for a sign of life before the link is given up.
 * @throws {RangeError} if `silenceMs` is not a number of milliseconds.
 */
export function startHeartbeat(events: HeartbeatEvents, options: HeartbeatOptions = {}): Heartbeat {
  checkDurations(options);
  return new BeatCounter(
    events,
    options.clock ?? systemClock,
    (options.silenceMs ?? DEFAULT_SILENCE_MS) / BEATS_PER_SILENCE,
  );
}

class BeatCounter implements Heartbeat {
  readonly #events: HeartbeatEvents;
  readonly #clock: Clock;
  readonly #beatMs: number;
  #timer: unknown;
  #beatAt: number;
  #hasReceived = true;
  #silentBeats = 0;

  constructor(events: HeartbeatEvents, clock: Clock, beatMs: number) {
    this.#events = events;
    this.#clock = clock;
    this.#beatMs = beatMs;
    this.#beatAt = clock.now();
    this.#schedule();
  }

  onReceived(): void {
    this.#hasReceived = true;
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#beatMs > 0) this.#timer = this.#clock.setTimeout(() => this.#beat(), this.#beatMs);
  }

  #beat(): void {
    const now = this.#clock.now();
    const hasSlept = now - this.#beatAt > 2 * this.#beatMs;
    this.#beatAt = now;
    if (this.#hasReceived) this.#silentBeats = 0;
    else this.#silentBeats = hasSlept ? 1 : this.#silentBeats + 1;
    this.#hasReceived = false;
    if (this.#silentBeats >= BEATS_PER_SILENCE && this.#events.countsSilence !== false) {
      this.stop();
      return this.#events.onSilence();
    }
    this.#schedule();
    this.#events.onBeat();
  }
}

import { callBack, checkDurations, setTimer, type Timer } from '@proto/core/internal';
import { isWatchable, type Transport, TransportError } from '@proto/core/transport';

/** When the last byte and the last message arrived, on the clock of `performance.now()`. */
export interface HostLiveness {
  /**
   * When the last byte of any kind arrived, including the bytes of a `keep_alive`. Undefined if nothing arrived, or if the transport does not record
   * the time.
   */
  readonly lastByteAt: number | undefined;
  readonly lastMessageAt: number | undefined;
}

/** A period in which a working agent sends nothing. */
export interface Silence extends HostLiveness {
  /** How long the silence has lasted, in milliseconds. */
  readonly silentMs: number;
}

/** What to do if the agent sends nothing while a turn is running. */
export interface WatchdogOptions {
  /**
   * How long the agent may send nothing while a turn is running, in milliseconds. The time does not count while the agent waits for an answer from
   * this host, or while this host is not reading.
   */
  readonly silentMs: number;
  /** Decides what to do about the silence. `abort` ends the session with a `timeout` error as the cause. `wait` waits for the same time again. */
  readonly onSilent: (silence: Silence) => 'wait' | 'abort';
}

export interface Watched {
  readonly transport: Transport;
  readonly liveness: HostLiveness;
  abort(reason: unknown): void;
}

/** No timer runs unless the agent is working. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #session: Watched;
  #timer: Timer | undefined;
  #workingSince = 0;
  #reportedAt = 0;
  #wasPaused = false;

  constructor(options: WatchdogOptions, session: Watched) {
    checkDurations(options, ['silentMs']);
    this.#options = options;
    this.#session = session;
  }

  /** Starts watching when the agent begins to work, and stops when the agent waits for an answer or is idle. */
  watch(isAwaited: boolean): void {
    if (isAwaited === (this.#timer !== undefined)) return;
    this.#timer?.clear();
    this.#timer = undefined;
    if (!isAwaited) return;
    this.#workingSince = this.#reportedAt = performance.now();
    this.#wait(this.#options.silentMs);
  }

  #wait(ms: number): void {
    this.#timer = setTimer(() => this.#look(), ms);
  }

  #look(): void {
    const { silentMs } = this.#options;
    const { transport, liveness } = this.#session;
    const now = performance.now();
    const isPaused = isWatchable(transport) && transport.liveness.isPaused;
    // This also applies if the link was paused at the last check: data that was held back needs time to arrive.
    if (isPaused || this.#wasPaused) this.#workingSince = now;
    this.#wasPaused = isPaused;
    const { lastByteAt = 0, lastMessageAt = 0 } = liveness;
    const activeAt = Math.max(this.#workingSince, lastByteAt, lastMessageAt);
    const restMs = Math.max(activeAt, this.#reportedAt) + silentMs - now;
    // A timer may fire slightly early.
    if (restMs > 1) return this.#wait(restMs);
    this.#reportedAt = now;
    this.#wait(silentMs);
    callBack(() => {
      const silence = { silentMs: now - activeAt, ...liveness };
      if (this.#options.onSilent(silence) === 'abort') this.#session.abort(silenceError(silence));
    });
  }
}

function silenceError({ silentMs }: Silence): TransportError {
  return new TransportError('timeout', `nothing arrived for ${Math.round(silentMs)} ms`);
}

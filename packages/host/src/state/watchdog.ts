import { callBack } from '@proto/core/internal';
import { isWatchable, type Transport, TransportError } from '@proto/core/transport';

/** When something last came, on the clock of `performance.now()`. */
export interface HostLiveness {
  /** Anything at all: a part of a message, a `keep_alive`. Undefined too where the transport does not know. */
  readonly lastByteAt: number | undefined;
  readonly lastMessageAt: number | undefined;
}

/** An agent that has something to do, and of which nothing comes. */
export interface Silence extends HostLiveness {
  /** How long it has lasted. */
  readonly silentMs: number;
}

/** What is done about a turn of which nothing comes. */
export interface WatchdogOptions {
  /**
   * How long not a byte may come while a turn runs, in milliseconds. What the agent waits for from this host, and what this host
   * does not read, is no silence of the agent's.
   */
  readonly silentMs: number;
  /** Hears of the silence, before anything is done about it. `abort` drops the session, with a `timeout` as the cause; else as long is waited again. */
  readonly onSilent: (silence: Silence) => 'wait' | 'abort';
}

/** The session that a watchdog watches. */
export interface Watched {
  readonly transport: Transport;
  readonly liveness: HostLiveness;
  abort(reason: unknown): void;
}

/** Watches for silence while there is something to be heard. States: `asleep`, and `watching`, with a timer. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #session: Watched;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when it could be silent, and since when it was last said to be. */
  #since = 0;
  #toldAt = 0;
  #wasPaused = false;

  constructor(options: WatchdogOptions, session: Watched) {
    this.#options = options;
    this.#session = session;
  }

  /** Whether it is the agent's turn to say something. */
  watch(isAwaited: boolean): void {
    if (isAwaited === (this.#timer !== undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!isAwaited) return;
    this.#since = this.#toldAt = performance.now();
    this.#wait(this.#options.silentMs);
  }

  #wait(ms: number): void {
    // A longer one would go off at once.
    this.#timer = setTimeout(() => this.#look(), Math.min(ms, 2 ** 31 - 1));
  }

  #look(): void {
    const { silentMs } = this.#options;
    const { transport, liveness } = this.#session;
    const now = performance.now();
    const isPaused = isWatchable(transport) && transport.liveness.isPaused;
    // Also where it was: what waited meanwhile has its time to come.
    if (isPaused || this.#wasPaused) this.#since = now;
    this.#wasPaused = isPaused;
    const { lastByteAt = 0, lastMessageAt = 0 } = liveness;
    const heardAt = Math.max(this.#since, lastByteAt, lastMessageAt);
    const restMs = Math.max(heardAt, this.#toldAt) + silentMs - now;
    // A timer may go off a little early.
    if (restMs > 1) return this.#wait(restMs);
    this.#toldAt = now;
    this.#wait(silentMs);
    callBack(() => {
      const silence = { silentMs: now - heardAt, ...liveness };
      if (this.#options.onSilent(silence) === 'abort') this.#session.abort(silenceError(silence));
    });
  }
}

function silenceError({ silentMs }: Silence): TransportError {
  return new TransportError('timeout', `nothing came for ${Math.round(silentMs)} ms`);
}

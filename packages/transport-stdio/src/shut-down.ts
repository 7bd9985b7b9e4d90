/** How long a child has to leave by itself, in milliseconds, once its input is closed. */
export const DEFAULT_CLOSE_GRACE_MS = 2000;
/** How long it has after SIGTERM before it is killed, in milliseconds. */
export const DEFAULT_KILL_GRACE_MS = 5000;

// How long it has after SIGTERM when it was aborted, unless its grace is shorter.
const ABORT_GRACE_MS = 2000;
// What a child has left behind may take this long to end. Where nobody reaps the dead, and only the group is asked whether somebody is
// left, it is always so long: they still count.
const TERMINATED_MS = 500;
const KILLED_MS = 100;
const POLL_MS = 20;

/** Whom to send signals, and how long to wait for what they do. */
export interface ShutDownOptions {
  /** Signals the child and what it started; false where nobody is left of these. 0 only asks. */
  readonly signal: (signal: 'SIGTERM' | 'SIGKILL' | 0) => boolean;
  /** Nobody is left: called once, after `exited`. */
  readonly onGone: () => void;
  readonly closeGraceMs: number;
  readonly killGraceMs: number;
}

/**
 * Brings a child to leave, and what it started with it. States:
 * - `running`: nobody asked it to leave
 * - `leaving`: it has `closeGraceMs` to do so by itself
 * - `terminated`: it was sent SIGTERM and has `killGraceMs`, or at most 2 s from an abort on
 * - `killed`: it was sent SIGKILL
 * - `gone`: nobody is left
 * When it has exited, what it started is ended too, and sooner.
 */
export class ShutDown {
  readonly #options: ShutDownOptions;
  #state: 'running' | 'leaving' | 'terminated' | 'killed' | 'gone' = 'running';
  #exited = false;
  #timer: NodeJS.Timeout | undefined;
  #abortTimer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(options: ShutDownOptions) {
    this.#options = options;
  }

  /** Whether it was sent a signal. */
  get forced(): boolean {
    return this.#state === 'terminated' || this.#state === 'killed';
  }

  /** It should leave by itself now; every call gives it `closeGraceMs` anew. */
  leave(): void {
    if (this.#exited || this.forced) return;
    this.#state = 'leaving';
    this.#after(this.#options.closeGraceMs, () => this.terminate());
  }

  /** It is asked to leave, by a signal. */
  terminate(): void {
    if (this.#exited || this.forced) return;
    this.#state = 'terminated';
    this.#after(this.#options.killGraceMs, () => this.kill());
    this.#options.signal('SIGTERM');
  }

  /** As `terminate`, with less time. Whoever does not wait for the end is not held up: it is ended at the exit of this process too. */
  abort(): void {
    if (this.#exited || this.#state === 'killed') return;
    this.terminate();
    // Beside the grace that may run since before, and be over sooner.
    clearTimeout(this.#abortTimer);
    this.#abortTimer = setTimeout(() => this.kill(), Math.min(this.#options.killGraceMs, ABORT_GRACE_MS)).unref();
  }

  kill(): void {
    if (this.#state === 'gone') return;
    this.#state = 'killed';
    this.#stopTimers();
    this.#options.signal('SIGKILL');
    if (this.#exited) this.#after(KILLED_MS, () => this.#gone());
  }

  /** The child itself has exited. */
  exited(): void {
    this.#exited = true;
    this.#stopTimers();
    const { signal } = this.#options;
    const killed = this.#state === 'killed';
    // After a kill again: its children may have started others while that was on its way.
    const again = () => signal(this.#state === 'killed' ? 'SIGKILL' : 'SIGTERM');
    if (!again()) return this.#gone();
    this.#poll = setInterval(() => {
      // What has just ended may have started another just before, which the signal finds.
      if (!signal(0) && !again()) this.#gone();
    }, POLL_MS);
    if (killed) this.#after(KILLED_MS, () => this.#gone());
    else this.#after(TERMINATED_MS, () => this.kill());
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#abortTimer);
  }

  #gone(): void {
    this.#state = 'gone';
    this.#stopTimers();
    clearInterval(this.#poll);
    this.#options.onGone();
  }
}

import { setTimer, type Timer } from '@proto/core/network';

/** How long a child has to exit by itself after its input was closed, in milliseconds: 2000. */
export const DEFAULT_CLOSE_GRACE_MS = 2000;
export const DEFAULT_KILL_GRACE_MS = 5000;

// The time between SIGTERM and SIGKILL after an abort, unless `killGraceMs` is shorter.
const ABORT_GRACE_MS = 2000;
// How long a child's remaining processes may take to end. On systems where nothing reaps zombies and only the group can be checked for processes, the
// full time passes, because zombies still count there.
const TERMINATED_MS = 500;
const KILLED_MS = 100;
const POLL_MS = 20;

export interface ShutDownOptions {
  /** Signal 0 only checks. Returns `false` if no process is left. */
  readonly signal: (signal: 'SIGTERM' | 'SIGKILL' | 0) => boolean;
  /** Called once, after `exited`, when no process is left. */
  readonly onGone: () => void;
  readonly closeGraceMs: number;
  readonly killGraceMs: number;
}

/**
 * Ends a child and the processes that it started. States:
 * - `running`: the child was not asked to exit
 * - `leaving`: the child has `closeGraceMs` to exit by itself
 * - `terminated`: the child received SIGTERM and has `killGraceMs` to exit, or at most 2 s after an abort
 * - `killed`: the child received SIGKILL
 * - `gone`: no process is left
 *
 * After the child has exited, the processes that it started receive SIGTERM, and SIGKILL half a second later.
 */
export class ShutDown {
  readonly #options: ShutDownOptions;
  #state: 'running' | 'leaving' | 'terminated' | 'killed' | 'gone' = 'running';
  #exited = false;
  #timer: Timer | undefined;
  #abortTimer: Timer | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(options: ShutDownOptions) {
    this.#options = options;
  }

  get killed(): boolean {
    return this.#state === 'terminated' || this.#state === 'killed';
  }

  /** Each call restarts the `closeGraceMs` timer. */
  leave(): void {
    if (this.#exited || this.killed) return;
    this.#state = 'leaving';
    this.#after(this.#options.closeGraceMs, () => this.terminate());
  }

  /** Sends SIGTERM, and SIGKILL after `killGraceMs`. */
  terminate(): void {
    if (this.#exited || this.killed) return;
    this.#state = 'terminated';
    this.#after(this.#options.killGraceMs, () => this.kill());
    this.#options.signal('SIGTERM');
  }

  /** Like `terminate`, but with at most 2 s until SIGKILL. The timer does not keep this process alive. */
  abort(): void {
    if (this.#exited || this.#state === 'killed') return;
    this.terminate();
    // A separate timer, because an earlier `terminate` may have a timer that ends sooner.
    this.#abortTimer?.clear();
    this.#abortTimer = setTimer(() => this.kill(), Math.min(this.#options.killGraceMs, ABORT_GRACE_MS));
    this.#abortTimer.unref();
  }

  kill(): void {
    if (this.#state === 'gone') return;
    this.#state = 'killed';
    this.#stopTimers();
    this.#options.signal('SIGKILL');
    if (this.#exited) this.#after(KILLED_MS, () => this.#gone());
  }

  /** Call this when the child itself has exited. */
  exited(): void {
    this.#exited = true;
    this.#stopTimers();
    const { signal } = this.#options;
    const killed = this.#state === 'killed';
    // SIGKILL is sent again as well, because children may have started other processes before the signal reached them.
    const again = () => signal(this.#state === 'killed' ? 'SIGKILL' : 'SIGTERM');
    if (!again()) return this.#gone();
    this.#poll = setInterval(() => {
      // A process may have started another process just before it ended; the signal reaches that process, too.
      if (!signal(0) && !again()) this.#gone();
    }, POLL_MS);
    if (killed) this.#after(KILLED_MS, () => this.#gone());
    else this.#after(TERMINATED_MS, () => this.kill());
  }

  #after(ms: number, act: () => void): void {
    this.#timer?.clear();
    this.#timer = setTimer(act, ms);
  }

  #stopTimers(): void {
    this.#timer?.clear();
    this.#abortTimer?.clear();
  }

  #gone(): void {
    this.#state = 'gone';
    this.#stopTimers();
    clearInterval(this.#poll);
    this.#options.onGone();
  }
}

const TICK_MS = 20;
const NOTICEABLE_MS = 100;

/**
 * How long an agent's output was not read: while a case had paused reading, and while the suite computed something else or got no CPU time. What the
 * agent writes during this time seems to arrive late, although the agent was in time.
 */
export class UnreadTime {
  readonly #timer = setInterval(() => this.#measure(), TICK_MS).unref();
  #isPaused = false;
  #measured = performance.now();
  #ms = 0;

  /** In milliseconds since the start of the agent. */
  get ms(): number {
    this.#measure();
    return this.#ms;
  }

  set isPaused(isPaused: boolean) {
    this.#measure();
    this.#isPaused = isPaused;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const now = performance.now();
    const passed = now - this.#measured;
    this.#measured = now;
    if (this.#isPaused || passed > NOTICEABLE_MS) this.#ms += passed;
  }
}

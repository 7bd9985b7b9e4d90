/** Calls in one direction that wait while the direction is held, and run in order when it is released. */
export class HeldQueue {
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;

  get isHeld(): boolean {
    return this.#isHeld;
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    // All waiting calls run at once, so that no later call runs before a waiting call.
    for (const run of this.#waiting.splice(0)) run();
  }

  /** Calls the function now, or when the direction is released. Settles like the promise of the call. */
  run<T>(call: () => Promise<T>): Promise<T> {
    if (!this.#isHeld) return call();
    return new Promise((resolve, reject) => this.#waiting.push(() => void call().then(resolve, reject)));
  }
}

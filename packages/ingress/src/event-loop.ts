const { setImmediate: soon = (callback: () => void) => setTimeout(callback, 0) } = globalThis as {
  setImmediate?: (callback: () => void) => unknown;
};

/** Settles after everything that waits for the event loop has had its turn, so that long work does not hold up other clients. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => soon(resolve));
}

/** After so many UTF-16 units that were looked at or parsed, other work runs: a few milliseconds. */
const STEP_UNITS = 256 * 1024;

/** The pace of long work: other work runs every few milliseconds. */
export class Pace {
  #units = 0;

  /** So much was done, in UTF-16 units. Settles at once where it is time to go on, and after other work where it is not. */
  async after(units: number): Promise<void> {
    this.#units += units;
    if (this.#units < STEP_UNITS) return;
    this.#units = 0;
    await yieldToEventLoop();
  }
}

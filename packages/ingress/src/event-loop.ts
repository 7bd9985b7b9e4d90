/** Settles after other work that waits for the event loop, so that long work does not delay other clients. */
export function yieldToEventLoop(): Promise<void> {
  // Only Node has `setImmediate`.
  const { setImmediate: soon = (callback: () => void) => setTimeout(callback, 0) } = globalThis as {
    setImmediate?: (callback: () => void) => unknown;
  };
  return new Promise((resolve) => void soon(resolve));
}

/** Other work runs after this many UTF-16 units were parsed, which takes a few milliseconds. */
const STEP_UNITS = 256 * 1024;

/** Divides long work into steps of a few milliseconds, between which other work runs. */
export class Pace {
  #units = 0;

  /** Call this after each piece of work, with its size in UTF-16 units. Settles at once within a step, and after other work at its end. */
  async after(units: number): Promise<void> {
    this.#units += units;
    if (this.#units < STEP_UNITS) return;
    this.#units = 0;
    await yieldToEventLoop();
  }
}

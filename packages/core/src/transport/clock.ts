/** The time as a transport sees it, so that a test can be hours in a moment. */
export interface Clock {
  /** The wall clock, in milliseconds: it goes on while the machine sleeps. */
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

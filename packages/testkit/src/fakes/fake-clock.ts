import { setTimer } from '@proto/core/network';

/** The clock by which a fake waits: for its `wait` steps, and for the delays of its chaos. */
export interface FakeClock {
  /** Milliseconds since the clock was made. */
  now(): number;
  /** Fulfils when `ms` milliseconds have passed. */
  wait(ms: number): Promise<void>;
}

/** A clock that a test moves on. */
export interface VirtualClock extends FakeClock {
  /** Moves on by `ms` milliseconds. Whoever waits is woken in the order of time, and acts before the next one is woken. */
  advance(ms: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** Creates a clock that stands still until a test moves it on. */
export function createVirtualClock(): VirtualClock {
  const sleepers: Sleeper[] = [];
  let time = 0;
  return {
    now: () => time,
    wait: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: time + Math.max(0, ms), wake });
        // Sleepers of one time keep the order in which they came.
        sleepers.sort((a, b) => a.at - b.at);
      }),
    async advance(ms) {
      const end = time + ms;
      await idle();
      for (let next = sleepers[0]; next !== undefined && next.at <= end; next = sleepers[0]) {
        sleepers.shift();
        time = next.at;
        next.wake();
        await idle();
      }
      time = end;
    },
  };
}

/** Creates a clock on which every wait is over as soon as what is due has happened: a wait changes the order of things, and takes no time. */
export function createJumpingClock(): FakeClock {
  let time = 0;
  return {
    now: () => time,
    async wait(ms) {
      const end = time + Math.max(0, ms);
      await idle();
      time = Math.max(time, end);
    },
  };
}

/** Creates a clock on which a wait takes as long as it says. */
export function createRealClock(): FakeClock {
  const start = performance.now();
  return {
    now: () => performance.now() - start,
    wait: (ms) => new Promise((done) => setTimer(done, ms)),
  };
}

/** Fulfils when what is due now has happened: promises, and input that has arrived. */
function idle(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

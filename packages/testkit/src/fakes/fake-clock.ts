import { setTimer } from '@proto/core/network';

/** A clock for a fake's `wait` steps and for delays caused by chaos. */
export interface FakeClock {
  /** Returns the milliseconds since the clock was created. */
  now(): number;
  /** Fulfils when `ms` milliseconds have passed. */
  wait(ms: number): Promise<void>;
}

/** A clock that the test advances. */
export interface VirtualClock extends FakeClock {
  /** Advances by `ms` milliseconds. Waits that end in this period fulfil in chronological order, and reactions to a wait run before the next wait fulfils. */
  advance(ms: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** Creates a clock that stands still until the test advances it. */
export function createVirtualClock(): VirtualClock {
  const sleepers: Sleeper[] = [];
  let time = 0;
  return {
    now: () => time,
    wait: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: time + Math.max(0, ms), wake });
        // Waits that end at the same time fulfil in the order of the calls.
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

/** A wait takes no time: it fulfils as soon as pending promises and input have been processed. */
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

/** Creates a clock on which waits take real time. */
export function createRealClock(): FakeClock {
  const start = performance.now();
  return {
    now: () => performance.now() - start,
    wait: (ms) => new Promise((done) => setTimer(done, ms)),
  };
}

/** Fulfils when pending promises and arrived input have been processed. */
function idle(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

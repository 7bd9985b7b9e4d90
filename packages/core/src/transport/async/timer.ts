/** The longest time that a JavaScript timer supports, in milliseconds: about 24.8 days. A longer timer runs after 1 ms. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A timer that `setTimer` has started. */
export interface Timer {
  /** Cancels the timer. Does nothing if the timer has already run. */
  clear(): void;
  /** Lets the process end before the call, on runtimes where a timer keeps the process alive. */
  unref(): void;
}

/**
 * Calls `run` once after `ms` milliseconds, even if this exceeds the limit of one timer. With `Infinity`, `run` is never called. If `ms` is not above
 * 0, `run` is called as soon as possible. Use this function for times that are given from outside, because JavaScript runs a timer above 2 ** 31 - 1
 * ms at once.
 */
export function setTimer(run: () => void, ms: number): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keepsAlive = true;
  const unref = () => {
    keepsAlive = false;
    (timer as { unref?(): void } | undefined)?.unref?.();
  };
  const wait = (left: number) => {
    timer =
      left > LONGEST_TIMER_MS
        ? setTimeout(() => wait(left - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
        : setTimeout(run, left);
    if (!keepsAlive) unref();
  };
  if (ms !== Number.POSITIVE_INFINITY) wait(ms);
  return { clear: () => clearTimeout(timer), unref };
}

/**
 * Checks every duration in an options object: the members whose names end in `Ms`. A duration must be a number of at least 0. `Infinity` means no
 * limit. The durations named in `positive` must be above 0.
 *
 * @throws {RangeError} that names the option
 */
export function checkDurations(options: object = {}, positive: readonly string[] = []): void {
  for (const [name, ms] of Object.entries(options) as [string, unknown][]) {
    if (!name.endsWith('Ms') || ms === undefined) continue;
    const isPositive = positive.includes(name);
    if (typeof ms === 'number' && (isPositive ? ms > 0 : ms >= 0)) continue;
    const least = isPositive ? 'above 0' : 'that is at least 0';
    throw new RangeError(
      `${name} must be a number of milliseconds ${least}, not ${typeof ms === 'number' ? ms : typeof ms}`,
    );
  }
}

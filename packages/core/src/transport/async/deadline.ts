import { onAbort } from './callbacks.ts';
import { setTimer, type Timer } from './timer.ts';

/** The time as a transport sees it. A test replaces it to let hours pass in a moment. */
export interface Clock {
  /** The wall clock, in milliseconds: it goes on while the machine sleeps. */
  now(): number;
  /** Calls `run` after `ms`, which may be above 2 ** 31, or `Infinity` for never. */
  setTimeout(run: () => void, ms: number): unknown;
  /** Cancels a timer of `setTimeout`. A timer that has run, and undefined, change nothing. */
  clearTimeout(timer: unknown): void;
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: setTimer,
  clearTimeout: (timer) => (timer as Timer | undefined)?.clear(),
};

/** How long to wait for something, and what ends the wait earlier. */
export interface Deadline {
  /** How long to wait, in milliseconds. */
  readonly ms: number;
  /** Ends the wait: the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Default: the time of this machine. */
  readonly clock?: Clock;
}

/**
 * Waits for a promise until a deadline, because a promise of a caller may never settle. When the time is over, `onTime` throws the error with
 * which the wait rejects, or returns how many milliseconds longer to wait.
 */
export function withDeadline<T>(promise: PromiseLike<T>, deadline: Deadline, onTime: () => number): Promise<T> {
  const { ms, signal, clock = systemClock } = deadline;
  return new Promise((resolve, reject) => {
    let timer: unknown;
    let forget = () => {};
    const leave = () => {
      forget();
      clock.clearTimeout(timer);
    };
    const fail = (error: unknown) => {
      leave();
      reject(error);
    };
    const abort = () => fail(signal?.reason);
    const wait = (delay: number) => {
      timer = clock.setTimeout(() => {
        try {
          wait(onTime());
        } catch (error) {
          fail(error);
        }
      }, delay);
    };
    promise.then((value) => {
      leave();
      resolve(value);
    }, fail);
    wait(ms);
    if (signal?.aborted) abort();
    else if (signal !== undefined) forget = onAbort(signal, abort);
  });
}

/** Waits. Fulfils when the time is over, or when `woken` settles. Rejects when the signal aborts. */
export function sleep(deadline: Deadline, woken?: PromiseLike<unknown>): Promise<void> {
  let wake = () => {};
  const over = new Promise<void>((resolve) => (wake = resolve));
  woken?.then(wake, wake);
  return withDeadline(over, deadline, () => {
    wake();
    return deadline.ms;
  });
}

/** Waits for a promise for `timeoutMs` at most. Returns its value, or undefined when the time is over. Without a limit it waits for the promise. */
export async function within<T>(timeoutMs: number | undefined, promise: Promise<T>): Promise<T | undefined> {
  if (timeoutMs === undefined) return promise;
  let timer: Timer | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimer(() => resolve(undefined), timeoutMs);
  });
  return Promise.race([promise, passed]).finally(() => timer?.clear());
}

import { onAbort } from './callbacks.ts';
import { setTimer, type Timer } from './timer.ts';

/** The clock and the timers of a transport. A test can replace them to let hours pass in a moment. */
export interface Clock {
  /** The wall-clock time in milliseconds, which also advances while the machine sleeps. */
  now(): number;
  /** Calls `run` after `ms` milliseconds, which may be above 2 ** 31. With `Infinity`, `run` is never called. */
  setTimeout(run: () => void, ms: number): unknown;
  /** Cancels a timer of `setTimeout`. Does nothing for `undefined`, or for a timer that has already run. */
  clearTimeout(timer: unknown): void;
}

/** The clock and timers of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: setTimer,
  clearTimeout: (timer) => (timer as Timer | undefined)?.clear(),
};

/** How long to wait for something, and the signal that ends the wait earlier. */
export interface Deadline {
  /** How long to wait, in milliseconds. */
  readonly ms: number;
  /** When this signal aborts, the wait ends and the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** The clock and timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock;
}

/**
 * Waits for a promise until a deadline, because a caller's promise may never settle. When the time is over, `onTime` either throws the error with
 * which the wait rejects, or returns how many more milliseconds to wait.
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

/** Waits until the time is over or `woken` settles. Rejects if the signal aborts. */
export function sleep(deadline: Deadline, woken?: PromiseLike<unknown>): Promise<void> {
  let wake = () => {};
  const over = new Promise<void>((resolve) => (wake = resolve));
  woken?.then(wake, wake);
  return withDeadline(over, deadline, () => {
    wake();
    return deadline.ms;
  });
}

/**
 * Waits for a promise for at most `timeoutMs`. Returns the value of the promise, or `undefined` when the time has passed. If `timeoutMs` is `undefined`,
 * waits without a limit.
 */
export async function within<T>(timeoutMs: number | undefined, promise: Promise<T>): Promise<T | undefined> {
  if (timeoutMs === undefined) return promise;
  let timer: Timer | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimer(() => resolve(undefined), timeoutMs);
  });
  return Promise.race([promise, passed]).finally(() => timer?.clear());
}

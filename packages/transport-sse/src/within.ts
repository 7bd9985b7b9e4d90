import { onAbort } from '@proto/core/internal';
import type { Clock } from '@proto/core/transport';

/** How long something may take, and what ends it before. */
export interface Limits {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/**
 * The outcome of a promise, or of the signal or the time if that comes first: what callers hand in may never settle. When the time
 * is over, `onTime` throws, or gives how much longer to wait.
 */
export function within<T>(promise: PromiseLike<T>, { clock, ms, signal }: Limits, onTime: () => number): Promise<T> {
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
    const abort = () => fail(signal.reason);
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
    if (signal.aborted) abort();
    else forget = onAbort(signal, abort);
  });
}

/** Fulfils when the time is over, or what may end it earlier settles; rejects when the signal aborts. */
export function sleep(limits: Limits, woken?: PromiseLike<unknown>): Promise<void> {
  let wake = () => {};
  const over = new Promise<void>((resolve) => (wake = resolve));
  woken?.then(wake, wake);
  return within(over, limits, () => {
    wake();
    return limits.ms;
  });
}

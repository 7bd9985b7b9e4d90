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
  return abortable(signal, (resolve, reject) => {
    let timer: unknown;
    const wait = (delay: number) => {
      timer = clock.setTimeout(() => {
        try {
          wait(onTime());
        } catch (error) {
          reject(error);
        }
      }, delay);
    };
    wait(ms);
    promise.then(resolve, reject);
    return () => clock.clearTimeout(timer);
  });
}

/** Fulfils when the time is over, or what may end it earlier settles; rejects when the signal aborts. */
export function sleep({ clock, ms, signal }: Limits, woken?: PromiseLike<unknown>): Promise<void> {
  return abortable(signal, (resolve) => {
    const wake = () => resolve();
    const timer = clock.setTimeout(wake, ms);
    woken?.then(wake, wake);
    return () => clock.clearTimeout(timer);
  });
}

/** The outcome of a promise, or the reason of the signal if that aborts first. */
export function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return abortable(signal, (resolve, reject) => {
    promise.then(resolve, reject);
    return () => {};
  });
}

/** What was begun, or the reason of the signal if that aborts first. Beginning gives what releases it, whichever comes first. */
function abortable<T>(
  signal: AbortSignal,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      signal.removeEventListener('abort', abort);
      release();
    };
    const fail = (error: unknown) => {
      leave();
      reject(error);
    };
    const abort = () => fail(signal.reason);
    const release = begin((value) => {
      leave();
      resolve(value);
    }, fail);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}

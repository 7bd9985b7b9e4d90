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
  let timer: unknown;
  const timeout = new Promise<never>((_, reject) => {
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
  });
  return unlessAborted(Promise.race([promise, timeout]), signal).finally(() => clock.clearTimeout(timer));
}

/** Fulfils when the time is over; rejects when the signal aborts. */
export function sleep({ clock, ms, signal }: Limits): Promise<void> {
  let timer: unknown;
  const over = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, ms);
  });
  return unlessAborted(over, signal).finally(() => clock.clearTimeout(timer));
}

/** The outcome of a promise, or the reason of the signal if that aborts first. */
export function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    const leave = () => signal.removeEventListener('abort', abort);
    promise.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error) => {
        leave();
        reject(error);
      },
    );
  });
}

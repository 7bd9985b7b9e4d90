// The longest delay of a timer.
const MAX_PAUSE_MS = 2 ** 31 - 1;

/** Fulfils after the given number of milliseconds, or as soon as the signal aborts. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, MAX_PAUSE_MS));
    signal.addEventListener('abort', done);
  });
}

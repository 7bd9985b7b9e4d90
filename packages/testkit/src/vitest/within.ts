const TICKS = 20;

/** The error of a timeout contains `what`. */
export async function within<T>(ms: number, promise: PromiseLike<T>, what: string): Promise<T> {
  let cancel = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = after(ms, () => reject(new Error(`this did not happen within ${ms} ms: ${what}`)));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** Use this function for promises that should stay pending. */
export async function settlesWithin(ms: number, promise: PromiseLike<unknown>): Promise<boolean> {
  let cancel = () => {};
  const quiet = new Promise<false>((resolve) => {
    cancel = after(ms, () => resolve(false));
  });
  const settled = () => true;
  try {
    return await Promise.race([promise.then(settled, settled), quiet]);
  } finally {
    cancel();
  }
}

/** Waits for one turn of the event loop, after all pending promise callbacks. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Calls `act` after `ms`. Returns a function that cancels the call. Counts ticks instead of reading the clock, because a process that is too busy for
 * the ticks is also too busy for the promise that the caller waits for.
 */
function after(ms: number, act: () => void): () => void {
  let left = TICKS;
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    act();
  }, ms / TICKS);
  return () => clearInterval(timer);
}

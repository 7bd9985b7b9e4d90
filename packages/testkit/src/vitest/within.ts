const TICKS = 20;

/** Gives what the promise gives, or rejects with a text that says what was waited for when it takes longer than that. */
export async function within<T>(ms: number, promise: PromiseLike<T>, what: string): Promise<T> {
  let cancel = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = after(ms, () => reject(new Error(`${what}: still not after ${ms} ms`)));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** Whether the promise settles, either way, within that time. For promises that are meant to stay pending. */
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

/** One turn of the event loop: whatever needed no more than the promises before it has happened. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Acts after that time; gives how to prevent it. Counts ticks, not the time on the clock: a process too busy to run them in time
 * is also too busy for what is waited for.
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

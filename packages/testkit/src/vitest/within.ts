/** Gives what the promise gives, or rejects with a text that says what was waited for when it takes longer than that. */
export async function within<T>(ms: number, promise: PromiseLike<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: still not after ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the promise settles, either way, within that time. For promises that are meant to stay pending. */
export async function settlesWithin(ms: number, promise: PromiseLike<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = () => true;
  try {
    return await Promise.race([promise.then(settled, settled), quiet]);
  } finally {
    clearTimeout(timer);
  }
}

/** One turn of the event loop: whatever needed no more than the promises before it has happened. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

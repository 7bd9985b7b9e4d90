/** What a promise gives, or nothing after so long; without a limit as long as it takes. */
export async function within<T>(timeoutMs: number | undefined, promise: Promise<T>): Promise<T | undefined> {
  if (timeoutMs === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  return Promise.race([promise, passed]).finally(() => clearTimeout(timer));
}

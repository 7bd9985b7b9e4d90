import type { Clock } from '@proto/core/reconnect';

/** Calls `work` again and again, until the returned function is called. On Node this does not keep the process alive. */
export function every(ms: number, work: () => void, clock?: Clock): () => void {
  if (clock === undefined) {
    const timer = setInterval(work, ms);
    // Only Node has `unref`, and only on Node a timer keeps the process alive.
    timer.unref?.();
    return () => clearInterval(timer);
  }
  let timer: unknown;
  const arm = () => {
    timer = clock.setTimeout(() => {
      arm();
      work();
    }, ms);
  };
  arm();
  return () => clock.clearTimeout(timer);
}

import { LONGEST_TIMER_MS, systemClock } from '@proto/core/network';
import type { Clock } from '@proto/core/reconnect';

/**
 * Calls `work` every `ms` milliseconds until the returned function is called. If `ms` is `Infinity`, `work` is never called. On Node, this does not
 * keep the process alive.
 */
export function every(ms: number, work: () => void, clock?: Clock): () => void {
  if (clock === undefined && ms <= LONGEST_TIMER_MS) {
    const timer = setInterval(work, Math.min(ms, LONGEST_TIMER_MS));
    // Only Node has `unref`, and only on Node does a timer keep the process alive.
    timer.unref?.();
    return () => clearInterval(timer);
  }
  return repeat(ms, work, clock ?? systemClock);
}

function repeat(ms: number, work: () => void, clock: Clock): () => void {
  let timer: unknown;
  const arm = () => {
    timer = clock.setTimeout(() => {
      arm();
      work();
    }, ms);
    (timer as { unref?(): void } | undefined)?.unref?.();
  };
  arm();
  return () => clock.clearTimeout(timer);
}

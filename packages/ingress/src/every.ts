import { systemClock } from '@proto/core/internal';
import type { Clock } from '@proto/core/reconnect';

/** Calls `work` again and again, until the returned function is called. On Node this does not keep the process alive. */
export function every(ms: number, work: () => void, clock: Clock = systemClock): () => void {
  let timer: unknown;
  const arm = () => {
    timer = clock.setTimeout(() => {
      arm();
      work();
    }, ms);
    (timer as { unref?(): void }).unref?.();
  };
  arm();
  return () => clock.clearTimeout(timer);
}

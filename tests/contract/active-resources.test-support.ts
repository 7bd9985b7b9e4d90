import { setImmediate as nextTick } from 'node:timers/promises';

/** Counts the active resources when there are few enough, or after 10 s. Has no timer, because a timer is such a resource. */
export async function activeResources(few: number): Promise<number> {
  const end = performance.now() + 10_000;
  while (process.getActiveResourcesInfo().length > few && performance.now() < end) await nextTick();
  return process.getActiveResourcesInfo().length;
}

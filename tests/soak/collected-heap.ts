import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Returns the heap size of this process after garbage collection. */
export async function collectedHeapBytes(): Promise<number> {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  // Objects released by a finalization callback are collected by the next collection.
  for (let pass = 0; pass < 3; pass++) {
    collect();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}

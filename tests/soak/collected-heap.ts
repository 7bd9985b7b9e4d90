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
  // Objects that a finalization callback releases are collected only in the next garbage collection.
  for (let pass = 0; pass < 3; pass++) {
    collect();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}

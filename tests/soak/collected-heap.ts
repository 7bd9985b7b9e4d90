import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** What the heap of this process has when all is gone that nobody holds. */
export async function collectedHeapBytes(): Promise<number> {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  // What is let go of by a callback of a collection goes with the next one.
  for (let pass = 0; pass < 3; pass++) {
    collect();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}

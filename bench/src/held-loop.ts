import type { Holds } from './cases/held-loop.ts';
import { inFreshProcess } from './fresh-process.ts';
import { report } from './report.ts';

const GOAL_MS = 5;

/** Measures for how long an operation of a store with 100 000 streams blocks the event loop, which all sessions share. */
export function heldLoop(): void {
  for (const store of ['memory', 'file']) {
    for (const [operation, value] of Object.entries(inFreshProcess<Holds>('held-loop', [store]))) {
      report({
        id: 'I3',
        case: `${store} store, ${operation}`,
        metric: 'ms',
        value,
        goal: GOAL_MS,
        base: 'the longest time between two turns of the event loop',
        atMost: true,
      });
    }
  }
}

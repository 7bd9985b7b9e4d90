import { inFreshProcess } from './fresh-process.ts';
import { median, spread } from './measure.ts';
import { report } from './report.ts';

/** The CPU time for each event of a stream that is read from the file store. */
export function ingressReplay(): void {
  const costs = inFreshProcess<readonly number[]>('replay');
  report({
    id: 'I2',
    case: 'replay from the file store, each event',
    metric: 'us',
    value: median(costs),
    goal: 12,
    tol: 0.15,
    base: 'CPU time',
    atMost: true,
    noisy: spread(costs) > 0.15,
  });
}

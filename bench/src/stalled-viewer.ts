import type { Latency } from './cases/stalled-viewer.ts';
import { inFreshProcess } from './fresh-process.ts';
import { report } from './report.ts';

const ROUNDS = 5;

/** How much longer events take to reach the other viewers when one viewer of a session does not read. */
export function stalledViewer(): void {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const [reads, stalled] = [
      inFreshProcess<Latency>('stalled-viewer', ['reads']),
      inFreshProcess<Latency>('stalled-viewer', ['stalled']),
    ];
    return { reads: reads.p99, stalled: stalled.p99, ratio: stalled.p99 / reads.p99 };
  });
  const { reads, stalled, ratio } = rounds.sort((a, b) => a.ratio - b.ratio)[ROUNDS >> 1] as (typeof rounds)[number];
  report({
    id: 'M2',
    case: 'one stalled viewer, p99 of the others',
    metric: 'ratio',
    value: ratio,
    goal: 1.2,
    base: 'all read',
    atMost: true,
    figures: { limit: `${reads.toFixed(2)} ms`, ours: `${stalled.toFixed(2)} ms` },
  });
}

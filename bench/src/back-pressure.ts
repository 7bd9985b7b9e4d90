import type { Pushed } from './cases/back-pressure.ts';
import { inFreshProcess } from './fresh-process.ts';
import { report } from './report.ts';

const MEGABYTES = 300;
const MB = 1024 * 1024;

/** W4: 300 MB to a child process that reads 100 MB a second. */
export async function backPressure(): Promise<void> {
  const [idle, forget, ours] = ['idle', 'forget', 'ours'].map((way) =>
    inFreshProcess<Pushed>('back-pressure', [way, MEGABYTES]),
  ) as [Pushed, Pushed, Pushed];
  const over = (pushed: Pushed) => Math.round((pushed.peakBytes - idle.peakBytes) / MB);
  const text = (pushed: Pushed) => `${over(pushed)} MB over idle, ${pushed.seconds.toFixed(1)} s`;
  const figures = { ours: text(ours), peer: `fire and forget ${text(forget)}` };
  const row = { id: 'W4', atMost: true, figures, note: `${figures.ours}; ${figures.peer}` } as const;
  report({
    ...row,
    case: 'stdio, peak',
    metric: 'MB',
    value: over(ours),
    goal: 64,
    tol: 0.25,
    base: 'an idle session',
  });
  report({
    ...row,
    case: 'stdio, time',
    metric: 'ratio',
    value: ours.seconds / forget.seconds,
    goal: 1.05,
    tol: 0.1,
    base: 'fire and forget',
  });
}

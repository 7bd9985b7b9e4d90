import { type Pushed, SLOW_TRANSPORTS } from './cases/back-pressure.ts';
import { inFreshProcess } from './fresh-process.ts';
import { report } from './report.ts';

const MEGABYTES = 300;
const MB = 1024 * 1024;

/** W4: 300 MB to a child process that reads 100 MB a second. */
export function backPressure(): void {
  for (const transport of SLOW_TRANSPORTS) measure(transport);
}

function measure(transport: string): void {
  const push = (way: string) => inFreshProcess<Pushed>('back-pressure', [transport, way, MEGABYTES]);
  const [idle, ours] = [push('idle'), push('ours')];
  const over = ({ peakBytes }: Pushed) => Math.round((peakBytes - idle.peakBytes) / MB);
  const text = (pushed: Pushed) => `${over(pushed)} MB over idle, ${pushed.seconds.toFixed(1)} s`;
  const peak = { id: 'W4', case: `${transport}, peak`, metric: 'MB', value: over(ours), goal: 64, tol: 0.25 } as const;
  if (transport !== 'stdio') {
    report({ ...peak, base: 'an idle session', atMost: true, figures: { ours: text(ours) }, note: text(ours) });
    return;
  }
  const forget = push('forget');
  const figures = { ours: text(ours), peer: `fire and forget ${text(forget)}` };
  const row = { atMost: true, figures, note: `${figures.ours}; ${figures.peer}` } as const;
  report({ ...peak, ...row, base: 'an idle session' });
  const time = { value: ours.seconds / forget.seconds, goal: 1.05, tol: 0.1, base: 'fire and forget' } as const;
  report({ ...row, id: 'W4', case: 'stdio, time', metric: 'ratio', ...time });
}

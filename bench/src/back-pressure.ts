import { type Pushed, SLOW_TRANSPORTS } from './cases/back-pressure.ts';
import { inFreshProcess } from './fresh-process.ts';
import { report } from './report.ts';

const MEGABYTES = 300;
const MB = 1024 * 1024;

/** W4: 300 MB to a child process that reads 100 MB a second. */
export function backPressure(): void {
  for (const transport of SLOW_TRANSPORTS) measure(transport);
  measureViewer();
}

/** The same over an event stream, which our session reads instead of writing. */
function measureViewer(): void {
  const read = (megabytes: number) => inFreshProcess<Pushed>('slow-viewer', [megabytes]);
  reportPeak('SSE', read(0), read(MEGABYTES));
}

function measure(transport: string): void {
  const push = (way: string) => inFreshProcess<Pushed>('back-pressure', [transport, way, MEGABYTES]);
  const [idle, ours] = [push('idle'), push('ours')];
  const forget = transport === 'stdio' ? push('forget') : undefined;
  reportPeak(transport, idle, ours, forget);
  if (forget === undefined) return;
  const time = { value: ours.seconds / forget.seconds, goal: 1.05, tol: 0.1, base: 'fire and forget' } as const;
  const figures = { ours: text(ours, idle), peer: `fire and forget ${text(forget, idle)}` };
  report({ id: 'W4', case: 'stdio, time', metric: 'ratio', ...time, atMost: true, figures });
}

function reportPeak(transport: string, idle: Pushed, ours: Pushed, forget?: Pushed): void {
  const peer = forget && `fire and forget ${text(forget, idle)}`;
  report({
    id: 'W4',
    case: `${transport}, peak`,
    metric: 'MB',
    value: over(ours, idle),
    goal: 64,
    tol: 0.25,
    base: 'an idle session',
    atMost: true,
    figures: { ours: text(ours, idle), ...(peer !== undefined && { peer }) },
    note: [text(ours, idle), peer ?? []].flat().join('; '),
  });
}

function over({ peakBytes }: Pushed, idle: Pushed): number {
  return Math.round((peakBytes - idle.peakBytes) / MB);
}

function text(pushed: Pushed, idle: Pushed): string {
  return `${over(pushed, idle)} MB over idle, ${pushed.seconds.toFixed(1)} s`;
}

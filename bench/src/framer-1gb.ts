import type { Framed } from './cases/frame-stream.ts';
import { inFreshProcess } from './fresh-process.ts';
import { median } from './measure.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';

const SMALL = 16;
const LARGE = 1024;
const MB = 1024 * 1024;

/** F5: a long session takes no more memory than a short one, and framing alone is cheap enough for relays. */
export async function framer1gb(): Promise<void> {
  framer1gbGate();
  for (const peer of ['readline', 'split2']) {
    const { peakBytes, cpuSeconds } = frame(peer, LARGE, true);
    report({
      id: 'F5',
      case: `${peer}, peak`,
      metric: 'MB',
      value: peakBytes / MB,
      base: '1 GB, framed and parsed',
      peer: versionOf(peer),
      note: `${rate(cpuSeconds)} MB per CPU s`,
    });
  }
}

/** The rows of F5 that are steady on a busy machine. */
export function framer1gbGate(): void {
  const whole = frame('ours', LARGE, false);
  const parsed = frame('ours', LARGE, true);
  for (const [name, parse, large] of [
    ['frame only', false, whole],
    ['frame and parse', true, parsed],
  ] as const) {
    const small = frame('ours', SMALL, parse);
    report({
      id: 'F5',
      case: `growth, ${name}`,
      metric: 'MB',
      value: (large.peakBytes - small.peakBytes) / MB,
      goal: 8,
      tol: 0.5,
      base: 'peak at 16 MB',
      atMost: true,
      hard: true,
      figures: { ours: `peak ${Math.round(large.peakBytes / MB)} MB, ${rate(large.cpuSeconds)} MB/s` },
      note: `peak ${Math.round(large.peakBytes / MB)} MB  ${rate(large.cpuSeconds)} MB per CPU s`,
    });
  }
  // Three runs, one after the other: the bandwidth of the memory limits framing, and other processes use it, too.
  const again = () => frame('ours', LARGE, true).cpuSeconds / frame('ours', LARGE, false).cpuSeconds;
  const value = median([parsed.cpuSeconds / whole.cpuSeconds, again(), again()]);
  report({
    id: 'F5',
    case: 'frame only to parse',
    metric: 'ratio',
    value,
    goal: 10,
    base: 'frame and parse',
    hard: true,
  });
}

/** Returns the run that used the least memory: sometimes V8 collects late, and 16 MB more are in use for a moment. */
function frame(framer: string, megabytes: number, parse: boolean): Framed {
  const runs = Array.from({ length: megabytes === LARGE && parse ? 2 : 3 }, () =>
    inFreshProcess<Framed>('frame-stream', [framer, megabytes, parse ? 'parse' : 'frame']),
  );
  return runs.reduce((least, each) => (each.peakBytes < least.peakBytes ? each : least));
}

function rate(cpuSeconds: number): number {
  return Math.round(LARGE / cpuSeconds);
}

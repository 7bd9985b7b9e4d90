import type { Held } from './cases/queue-memory.ts';
import { inFreshProcess } from './fresh-process.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';

const MB = 1e6;

/** M1: the memory of 100 000 queued messages. */
export async function queueMemory(): Promise<void> {
  queueMemoryGate();
  for (const queue of ['strings', 'it-pushable', 'PassThrough']) {
    const { liveBytes, bytes } = hold(queue, 'delta250');
    const note = `live ${(liveBytes / MB).toFixed(1)} MB`;
    report({
      id: 'M1',
      case: `250B, ${queue}, live`,
      metric: 'ratio',
      value: liveBytes / bytes,
      base: 'bytes',
      peer: versionOf(queue),
      note,
    });
  }
}

/** The rows of M1 that can fail a run: the rows of our own queues. */
export function queueMemoryGate(): void {
  for (const [size, message] of [
    ['250B', 'delta250'],
    ['1KB', 'assistant1k'],
  ] as const) {
    const empty = hold('nothing', message);
    const objects = hold('objects', message);
    const ours = hold('ours', message);
    const row = { id: 'M1', metric: 'ratio', tol: 0.05, base: 'bytes', atMost: true, hard: true } as const;
    for (const [queue, goal] of [
      ['ours', 1.1],
      ['ours with ids', 1.35],
    ] as const) {
      const { liveBytes, bytes } = queue === 'ours' ? ours : hold(queue, message);
      report({
        ...row,
        case: `${size}, ${queue}, live`,
        value: liveBytes / bytes,
        goal,
        figures: {
          limit: megabytes(bytes),
          ours: megabytes(liveBytes),
          peer: `array of objects ${megabytes(objects.liveBytes)}`,
        },
      });
    }
    report({
      ...row,
      // The figure includes the size of the young generation, which is steady here, although V8 decides it.
      hard: false,
      case: `${size}, ours, peak`,
      value: (ours.peakBytes - empty.peakBytes) / (objects.peakBytes - empty.peakBytes),
      base: 'array of objects',
      figures: {
        ours: megabytes(ours.peakBytes - empty.peakBytes),
        peer: megabytes(objects.peakBytes - empty.peakBytes),
      },
      // Longer messages mostly consist of one string, so they take a similar amount of memory as objects and as text.
      ...(size === '250B' && { goal: 0.55 }),
    });
  }
}

function hold(queue: string, message: string): Held {
  const { bytes, liveBytes, peakBytes } = inFreshProcess<Held>('queue-memory', [queue, message], ['--expose-gc']);
  return { bytes, liveBytes, peakBytes };
}

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}

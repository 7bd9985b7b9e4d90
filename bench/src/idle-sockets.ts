import type { IdleSocket } from './cases/idle-sockets.ts';
import { inFreshProcess } from './fresh-process.ts';
import { median } from './measure.ts';
import { report } from './report.ts';

const SOCKETS = 1000;
const ROUNDS = 3;
// Garbage from connecting must not grow the young generation: V8 decides its size, which does not depend on the number of sockets.
const FLAGS = ['--expose-gc', '--max-semi-space-size=1'];
/** The beginning of a line that is never completed, as long as many whole messages. */
const PARTIAL_LINE = `{"type":"user","text":"${'x'.repeat(200)}`;

/** M2: the memory of idle sessions over WebSockets in a server, and the time that a heartbeat of all sessions takes. */
export function idleSockets(): void {
  const [bare, ours, partial] = [measure('bare ws'), measure('ours'), measure('ours', PARTIAL_LINE)];
  const row = { id: 'M2', metric: 'ratio', tol: 0.1, base: 'bare ws', atMost: true } as const;
  report({
    ...row,
    case: `${SOCKETS} WebSockets, heap`,
    metric: 'bytes',
    value: ours.heapBytes,
    goal: 9 * 1024,
    figures: { limit: kilobytes(bare.heapBytes), ours: kilobytes(ours.heapBytes) },
  });
  report({
    ...row,
    case: `${SOCKETS} WebSockets, resident`,
    value: ours.residentBytes / bare.residentBytes,
    goal: 1.8,
    figures: { limit: kilobytes(bare.residentBytes), ours: kilobytes(ours.residentBytes) },
  });
  const more = partial.heapBytes - ours.heapBytes;
  report({
    ...row,
    case: 'a partial line in hand, heap',
    metric: 'bytes',
    value: more,
    goal: 1024,
    base: 'an idle session',
    figures: { ours: `${kilobytes(more)} for ${PARTIAL_LINE.length} bytes` },
  });
  report({
    ...row,
    case: 'a beat, CPU',
    value: ours.beatMicros / bare.beatMicros,
    goal: 1.3,
    figures: { limit: `${bare.beatMicros.toFixed(1)} us`, ours: `${ours.beatMicros.toFixed(1)} us` },
  });
}

/** Returns the median of each figure. */
function measure(which: string, sent = ''): IdleSocket {
  const rounds = Array.from({ length: ROUNDS }, () =>
    inFreshProcess<IdleSocket>('idle-sockets', [which, SOCKETS, sent], FLAGS),
  );
  const middle = (figure: keyof IdleSocket) => median(rounds.map((round) => round[figure]));
  return {
    heapBytes: middle('heapBytes'),
    residentBytes: middle('residentBytes'),
    beatMicros: middle('beatMicros'),
  };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

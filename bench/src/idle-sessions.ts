import type { IdleSession } from './cases/idle-session.ts';
import type { Idle } from './cases/idle-streams.ts';
import { inFreshProcess } from './fresh-process.ts';
import { report } from './report.ts';

const STREAMS = 1000;
const ROUNDS = 3;
// Garbage from connecting must not grow the young generation: V8 decides its size, which does not depend on the number of streams.
const FLAGS = ['--expose-gc', '--max-semi-space-size=1'];

/** M2: the memory of idle event streams in a server. */
export function idleSessions(): void {
  idleSessionsGate();
  const [bare, ours] = [measure('bare http'), measure('ours')];
  row('resident', bare.residentBytes, ours.residentBytes, false);
}

/** The rows of M2 that do not vary: live objects. */
export function idleSessionsGate(): void {
  idleSession();
  const [bare, ours] = [measure('bare http'), measure('ours')];
  row('heap', bare.heapBytes, ours.heapBytes, true);
}

/** The cost of an idle session. */
function idleSession(): void {
  const rounds = Array.from({ length: ROUNDS }, () => inFreshProcess<IdleSession>('idle-session', [STREAMS], FLAGS));
  const bytes = Math.min(...rounds.map(({ sessionBytes }) => sessionBytes));
  const micros = Math.min(...rounds.map(({ makeMicros }) => makeMicros));
  const common = { id: 'M2', base: 'fresh process', atMost: true } as const;
  report({
    ...common,
    case: 'a session over WebSocket, heap',
    metric: 'bytes',
    value: bytes,
    goal: 9 * 1024,
    hard: true,
  });
  report({
    ...common,
    case: 'a session over WebSocket, made',
    metric: 'ms',
    value: micros / 1000,
    goal: 0.06,
    tol: 0.25,
  });
}

function row(what: string, bare: number, ours: number, hard: boolean): void {
  report({
    id: 'M2',
    case: `${STREAMS} SSE, ${what}`,
    metric: 'ratio',
    value: ours / bare,
    goal: 1.25,
    tol: 0.1,
    base: 'bare http',
    atMost: true,
    hard,
    figures: { limit: kilobytes(bare), ours: kilobytes(ours) },
  });
}

/** Returns the median of each figure. */
function measure(which: string): Idle {
  const rounds = Array.from({ length: ROUNDS }, () => inFreshProcess<Idle>('idle-streams', [which, STREAMS], FLAGS));
  const median = (figure: keyof Idle) =>
    rounds.map((round) => round[figure]).sort((a, b) => a - b)[ROUNDS >> 1] as number;
  return { heapBytes: median('heapBytes'), residentBytes: median('residentBytes') };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

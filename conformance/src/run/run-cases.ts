import { availableParallelism } from 'node:os';

import type { Case } from '../cases/case-schema.ts';
import { withoutRules } from '../results/baseline.ts';
import type { CaseResult } from '../results/result.ts';

export interface RunCases {
  readonly cases: readonly Case[];
  /** How many cases run at a time. Default {@link defaultJobs}. */
  readonly jobs?: number;
  /** If the call rejects, the case gets the verdict `error`. */
  readonly runCase: (entry: Case) => Promise<Omit<CaseResult, 'id' | 'title' | 'spec' | 'level' | 'ms'>>;
  /** After this many failed cases, no more cases are started. Default: all cases run. */
  readonly mostFailed?: number;
  /** Rules that the program is known to break. A case that breaks only these rules is not counted as failed. Default: none. */
  readonly knownRules?: readonly string[];
  /** Called with each result, in the order in which the cases end. */
  readonly onResult?: (result: CaseResult) => void;
  /** If this signal aborts, no more cases are started, and the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A program that fails in this many generated sessions is not going to show anything new in the others, and each may wait for a time limit. */
export const MOST_FAILED_SESSIONS = 40;

// Cases spend more time waiting than computing. With more cases at a time, a program on a busy machine would answer late.
const MIN_JOBS = 4;
const MAX_JOBS = 8;
const JOBS_PER_PROCESSOR = 4;

// Everything that a step waits for arrives in less time, unless the case tests how much time passes.
const USUAL_LIMIT_MS = 10_000;

/** Four per processor, at least 4 and at most 8. */
export function defaultJobs(): number {
  return Math.min(MAX_JOBS, Math.max(MIN_JOBS, JOBS_PER_PROCESSOR * availableParallelism()));
}

/** The cases with the longest waiting times start first, so that the other cases can run during these waits. */
export async function runCases({
  cases,
  jobs = defaultJobs(),
  runCase,
  mostFailed = Infinity,
  knownRules = [],
  onResult,
  signal,
}: RunCases): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  let failed = 0;
  const known = new Set(knownRules);
  const waiting = [...cases.entries()].toSorted(([, a], [, b]) => waitOf(b) - waitOf(a));
  const work = async (): Promise<void> => {
    for (let first = waiting.shift(); first !== undefined && failed < mostFailed; first = waiting.shift()) {
      signal?.throwIfAborted();
      const [at, entry] = first;
      const started = performance.now();
      const outcome = await runCase(entry).catch((error: unknown) => errorOutcome(error));
      const { id, title, spec, level } = entry;
      const result = { id, title, spec, level, ms: Math.round(performance.now() - started), ...outcome };
      results[at] = result;
      const hasFailed = result.verdict === 'failed' || result.verdict === 'error';
      const isKnown = result.failures.length > 0 && withoutRules(result.failures, known).length === 0;
      if (hasFailed && !isKnown) failed += 1;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  signal?.throwIfAborted();
  // The list has holes for the cases that were not started.
  return results.filter(() => true);
}

/** The milliseconds for which a case lets time pass, or waits to see that nothing arrives. */
function waitOf({ steps }: Case): number {
  return steps.reduce((sum, step) => {
    const within = Number(step['within'] ?? 0);
    const isWait = ('expect-none' in step && !('until' in step)) || (within > USUAL_LIMIT_MS && !('post' in step));
    return sum + (isWait ? within : 0) + (typeof step['pause'] === 'number' ? step['pause'] : 0);
  }, 0);
}

function errorOutcome(error: unknown): Pick<CaseResult, 'verdict' | 'failures' | 'reason'> {
  return { verdict: 'error', failures: [], reason: error instanceof Error ? error.message : String(error) };
}

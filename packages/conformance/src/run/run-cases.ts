import type { Case } from '../cases/case-schema.ts';
import type { CaseResult } from '../results/result.ts';

/** How the cases of a run are executed. */
export interface RunCases {
  readonly cases: readonly Case[];
  /** How many cases run at a time. Default 2. */
  readonly jobs?: number;
  /** Runs one case. A case that it rejects for gets the verdict `error`. */
  readonly runCase: (entry: Case) => Promise<Omit<CaseResult, 'id' | 'title' | 'spec' | 'level' | 'ms'>>;
  /** Called with each result, in the order of the cases' ends. */
  readonly onResult?: (result: CaseResult) => void;
  /** Aborting it starts no more cases, and rejects with the reason. */
  readonly signal?: AbortSignal;
}

/** Runs the cases, several at a time, and returns the results in the order of the cases. */
export async function runCases({ cases, jobs = 2, runCase, onResult, signal }: RunCases): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      signal?.throwIfAborted();
      const entry = cases[at];
      if (entry === undefined) return;
      const started = performance.now();
      const outcome = await runCase(entry).catch((error: unknown) => errorOutcome(error));
      const { id, title, spec, level } = entry;
      const result = { id, title, spec, level, ms: Math.round(performance.now() - started), ...outcome };
      results[at] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  signal?.throwIfAborted();
  return results;
}

function errorOutcome(error: unknown): Pick<CaseResult, 'verdict' | 'failures' | 'reason'> {
  return { verdict: 'error', failures: [], reason: error instanceof Error ? error.message : String(error) };
}

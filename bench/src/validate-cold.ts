import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { report } from './report.ts';

const RUNS = 11;

/** V2: what the first checks cost in a fresh process, schemas and all. */
export async function validateCold(): Promise<void> {
  const script = fileURLToPath(new URL('first-checks.mjs', import.meta.url));
  const runs = Array.from({ length: RUNS }, () => {
    return JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })) as Record<
      'delta' | 'all',
      number
    >;
  });
  const median = (name: 'delta' | 'all') =>
    runs.map((run) => run[name]).sort((a, b) => a - b)[(RUNS - 1) / 2] as number;
  const row = { id: 'V2', metric: 'ms', tol: 0.25, base: 'fresh process', atMost: true } as const;
  report({ ...row, case: 'first delta', value: median('delta'), goal: 1.5 });
  report({ ...row, case: 'one of each type', value: median('all'), goal: 2 });
}

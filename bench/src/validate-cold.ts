import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './measure.ts';
import { report } from './report.ts';

const RUNS = 11;

/** V2: what the first checks cost in a fresh process, with all that has to be built for them. */
export async function validateCold(): Promise<void> {
  const { delta, all } = firstChecks<'delta' | 'all'>();
  const zod = firstChecks<'build' | 'check'>('zod');
  const row = { id: 'V2', metric: 'ms', tol: 0.25, base: 'fresh process', atMost: true } as const;
  report({ ...row, case: 'first delta', value: delta, goal: 0.6 });
  report({ ...row, case: 'one of each type', value: all, goal: 1.5 });
  report({ ...row, case: 'one of each type: loading the schemas of zod/mini', value: zod.build });
  report({ ...row, case: 'one of each type: checked by them', value: zod.check });
}

/** The median over processes of each figure. */
function firstChecks<Name extends string>(...args: readonly string[]): Readonly<Record<Name, number>> {
  const script = fileURLToPath(new URL('first-checks.mjs', import.meta.url));
  const runs = Array.from({ length: RUNS }, () => {
    return JSON.parse(execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' })) as Record<Name, number>;
  });
  const [first] = runs as [Record<Name, number>];
  const medians = { ...first };
  for (const name in first) medians[name] = median(runs.map((run) => run[name]));
  return medians;
}

import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FramerRows } from './cases/framer-rows.ts';
import { inFreshProcess } from './fresh-process.ts';
import { report } from './report.ts';

const GOALS: Readonly<Record<string, number>> = { line: 0.88, '2KB': 0.85, '64KB': 0.9 };
const BUN_GOAL = 0.85;
// `npm run runtimes` fetches it.
const FETCHED_BUN = fileURLToPath(new URL('../../node_modules/.cache/runtimes/bun', import.meta.url));

/**
 * F6: each kind of message by itself, in each program. `BENCH_RUNTIMES` lists the paths of further programs, such as other versions of Node, as `PATH`
 * lists folders.
 */
export function framerRuntimes(): void {
  const others = (process.env['BENCH_RUNTIMES'] ?? '').split(delimiter).filter((path) => path !== '');
  const fetched = existsSync(FETCHED_BUN) ? [FETCHED_BUN] : [];
  for (const program of [process.execPath, ...fetched, ...others]) {
    const { runtime, rows } = inFreshProcess<FramerRows>('framer-rows', [], [], program);
    for (const { name, chunks, ratio, noisy } of rows) {
      report({
        id: 'F6',
        case: `${runtime}: ${name}/${chunks}`,
        metric: 'ratio',
        value: ratio,
        goal: runtime.startsWith('bun') ? BUN_GOAL : (GOALS[chunks] as number),
        tol: 0.08,
        base: 'LIMIT2 there',
        noisy,
      });
    }
  }
}

import { spawnSync } from 'node:child_process';
import { HEADLINE_SUITES } from './docs/headlines.ts';
import { writeDocs } from './docs/write-docs.ts';
import type { Reported } from './report.ts';
import { keepRun } from './run-file.ts';

/** Measures and reports rows. */
export type Suite = () => Promise<void> | void;

/** The suites by name. */
export type Suites = Readonly<Record<string, Suite>>;

/** How often a gate is measured before it fails. */
const GATE_TRIES = 3;

/**
 * Runs the named suite. `all` (the default), `headlines`, `gates` and lists of several suites run each suite in a separate process, so that each
 * suite is measured with a fresh heap. `all` and `headlines` also store the rows in a file, from which `docs` writes `docs/benchmarks.md` and
 * `docs/benchmarks-all.md`.
 */
export async function runSuites(suites: Suites, gates: Suites, names: readonly string[]): Promise<void> {
  const [name = 'all', gate] = names;
  if (name === 'docs') return writeDocs();
  if (name === 'gates') {
    if (gate !== undefined) return find(gates, gate)();
    for (const each of Object.keys(gates)) runGate(each);
    return;
  }
  if (name === 'all' || name === 'headlines') {
    const chosen = name === 'all' ? Object.keys(suites) : HEADLINE_SUITES;
    return keepRun(chosen.flatMap(runSuite), name === 'all');
  }
  if (names.length === 1) return find(suites, name)();
  for (const each of names) runSuite(each);
}

/** Measures a gate again while one of its rows fails, because a disturbance of the machine is temporary, whereas the cost of a change remains. */
function runGate(name: string): void {
  for (let tries = 1; tries <= GATE_TRIES; tries++) {
    if (runApart(['gates', name]).isPassed) return;
  }
  process.exitCode = 1;
}

function runSuite(name: string): readonly Reported[] {
  const { isPassed, rows } = runApart([name]);
  if (!isPassed) process.exitCode = 1;
  return rows;
}

function find(suites: Suites, name: string): Suite {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`no "${name}"; there are: ${Object.keys(suites).join(', ')}`);
  return suite;
}

/** Runs this program in a new process, prints its table, and returns its rows, and whether none of them failed. */
function runApart(names: readonly string[]): { readonly isPassed: boolean; readonly rows: readonly Reported[] } {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const { status, stdout } = spawnSync(process.execPath, [process.argv[1] as string, ...names], {
    stdio: [...stdio],
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const lines = stdout.trimEnd().split('\n');
  console.log(lines.filter((line) => !line.startsWith('{')).join('\n'));
  const rows = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Reported);
  return { isPassed: status === 0, rows };
}

import { parseCitation } from './citation.ts';
import type { RowDocument } from './row.ts';

/** One test as it was run: its own name, where it stands, and vitest's word for its outcome. */
export interface TestOutcome {
  readonly name: string;
  readonly file: string;
  readonly status: string;
  /** The built programs that ran as processes meanwhile; see built-programs.ts. */
  readonly programs: readonly string[];
}

/** How the rows of one document stand. Each row is in exactly one of the lists `covered`, `knownFailures`, `planned` and `uncovered`. */
export interface DocumentCoverage {
  readonly id: string;
  readonly title: string;
  readonly covered: readonly string[];
  readonly knownFailures: readonly string[];
  readonly planned: readonly string[];
  readonly uncovered: readonly string[];
  /** Those of `covered` that a passing test shows through a built program, which ran as a process during the test. */
  readonly endToEnd: readonly string[];
}

/** A reason for the report to fail. */
export type ProblemRule =
  | 'no-results'
  | 'uncovered'
  | 'not-passing'
  | 'planned-and-cited'
  | 'unknown-citation'
  | 'unknown-plan';

/** One breach of a rule: the row's id, absent for `no-results`, and the tests that cite it. */
export interface Problem {
  readonly rule: ProblemRule;
  readonly id?: string;
  readonly tests: readonly string[];
}

/** The whole report. It fails when there is a problem, and only then. */
export interface Coverage {
  readonly documents: readonly DocumentCoverage[];
  readonly problems: readonly Problem[];
}

type Standing = 'covered' | 'knownFailures' | 'planned' | 'uncovered';

/** Compares what the tests proved with the rows that are required and the rows that are planned. A skipped test proves nothing. */
export function coverage(
  documents: readonly RowDocument[],
  planned: readonly string[],
  outcomes: readonly TestOutcome[],
): Coverage {
  const cited = new Map<string, TestOutcome[]>();
  for (const outcome of outcomes) {
    for (const id of new Set(parseCitation(outcome.name).ids)) cited.set(id, [...(cited.get(id) ?? []), outcome]);
  }
  const plan = new Set(planned);
  const problems: Problem[] = [];
  const report = (rule: ProblemRule, id: string) =>
    problems.push({ rule, id, tests: (cited.get(id) ?? []).map(place) });

  if (outcomes.length === 0) problems.push({ rule: 'no-results', tests: [] });
  const result = documents.map(({ id, title, rows }): DocumentCoverage => {
    const lists: Record<Standing, string[]> = { covered: [], knownFailures: [], planned: [], uncovered: [] };
    for (const row of rows) {
      const tests = cited.get(row.id) ?? [];
      const standing = plan.has(row.id) ? 'planned' : standingOf(tests);
      lists[standing].push(row.id);
      if (standing === 'planned' && tests.length > 0) report('planned-and-cited', row.id);
      if (standing === 'uncovered') report(tests.length === 0 ? 'uncovered' : 'not-passing', row.id);
    }
    const endToEnd = lists.covered.filter((row) => (cited.get(row) ?? []).some(isEndToEnd));
    return { id, title, ...lists, endToEnd };
  });
  const known = new Set(documents.flatMap(({ rows }) => rows.map((row) => row.id)));
  for (const id of cited.keys()) if (!known.has(id)) report('unknown-citation', id);
  for (const id of plan) if (!known.has(id)) report('unknown-plan', id);
  return { documents: result, problems };
}

/** A known failure outweighs passing tests: the row is not done, and a list that hid it would never get shorter. */
function standingOf(tests: readonly TestOutcome[]): Standing {
  const passed = tests.filter((test) => test.status === 'passed');
  if (passed.length === 0) return 'uncovered';
  return passed.some((test) => parseCitation(test.name).knownFailure) ? 'knownFailures' : 'covered';
}

function isEndToEnd({ status, programs }: TestOutcome): boolean {
  return status === 'passed' && programs.length > 0;
}

function place(test: TestOutcome): string {
  return `${test.file}: ${test.name} (${test.status})`;
}

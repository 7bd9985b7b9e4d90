import { loadSuite } from '../cases/suite.ts';
import type { Side } from '../cases/case-schema.ts';
import { applyBaseline, type ExpectedFailure } from './baseline.ts';
import type { CaseResult, Counts, Report } from './result.ts';

/** Creates the report of a run. */
export function createReport(
  run: { program: string; side: Side; ms: number; results: readonly CaseResult[] },
  expected: readonly ExpectedFailure[] = [],
): Report {
  const suite = loadSuite();
  const known = new Set(suite.cases.filter(({ side }) => side === run.side).map(({ id }) => id));
  const { results, expectedRules, stale } = applyBaseline(run.results, expected, known);
  const applied = results.filter(({ level, verdict }) => level === 'must' && verdict !== 'not-declared');
  const passed = applied.filter(({ verdict }) => verdict === 'passed' || verdict === 'warned').length;
  return {
    program: run.program,
    side: run.side,
    spec: suite.spec,
    ms: Math.round(run.ms),
    results,
    expectedRules,
    stale,
    counts: countOf(results),
    must: { passed, applied: applied.length },
    score: applied.length === 0 ? 0 : Math.floor((passed / applied.length) * 100),
  };
}

/**
 * Returns the exit code of a run: 0 if the program conforms, 6 for an unexpected failure or a stale entry, and 1 for an error of the suite. A run in
 * which no case applied is an error, because it proves nothing. With `strict`, a warning is a failure.
 */
export function exitCodeOf({ counts, stale, results }: Report, strict = false): number {
  if (counts.errors > 0 || results.every(({ verdict }) => verdict === 'not-declared')) return 1;
  const failures = counts.failed + (strict ? counts.warned : 0);
  return failures > 0 || stale.length > 0 ? 6 : 0;
}

function countOf(results: readonly CaseResult[]): Counts {
  const count = (passes: (result: CaseResult) => boolean) => results.filter(passes).length;
  const unexpected = (wanted: CaseResult['verdict']) =>
    count(({ verdict, expectedBecause }) => verdict === wanted && expectedBecause === undefined);
  return {
    passed: unexpected('passed'),
    failed: unexpected('failed'),
    warned: unexpected('warned'),
    notDeclared: unexpected('not-declared'),
    errors: unexpected('error'),
    expectedFailures: count(({ expectedBecause }) => expectedBecause !== undefined),
  };
}

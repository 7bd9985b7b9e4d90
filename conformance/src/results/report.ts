import { loadSuite } from '../cases/suite.ts';
import { questionsOf } from '../random/questions.ts';
import type { Side } from '../cases/case-schema.ts';
import { applyBaseline, type ExpectedFailure } from './baseline.ts';
import { findingsOf } from './findings.ts';
import type { CaseResult, Counts, Report } from './result.ts';
import { scoresOf } from './scores.ts';

/**
 * Creates the report of a run. `notes` are sentences about the program that the report shows first. `comparedWith` is the command line of the program
 * with which generated sessions were compared.
 */
export function createReport(
  run: {
    readonly program: string;
    readonly side: Side;
    readonly ms: number;
    readonly results: readonly CaseResult[];
    readonly notes?: readonly string[];
    readonly comparedWith?: string | undefined;
  },
  expected: readonly ExpectedFailure[] = [],
): Report {
  const { spec, cases } = loadSuite();
  const ofSide = cases.filter(({ side }) => side === run.side);
  const known = new Set(ofSide.map(({ id }) => id));
  const { results, expectedRules, stale } = applyBaseline(run.results, expected, known);
  return {
    program: run.program,
    side: run.side,
    spec,
    ms: Math.round(run.ms),
    notes: run.notes ?? [],
    findings: findingsOf(results),
    results,
    expectedRules,
    stale,
    counts: countOf(results),
    ...scoresOf({ raw: run.results, marked: results }, ofSide),
    ...(run.comparedWith === undefined ? {} : { comparison: comparisonWith(run.comparedWith, results) }),
  };
}

function comparisonWith(program: string, results: readonly CaseResult[]): NonNullable<Report['comparison']> {
  const sessions = results.filter(({ differences }) => differences !== undefined).length;
  return { program, sessions, questions: questionsOf(results) };
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

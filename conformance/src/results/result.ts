import type { Level, Side } from '../cases/case-schema.ts';

/**
 * What a case has shown.
 *
 * - `passed`: the program keeps the requirement.
 * - `failed`: the program does not conform.
 * - `warned`: the program does not do what it should.
 * - `not-declared`: the program has not declared what the case needs. Never a failure.
 * - `error`: the suite itself failed. Never a success.
 */
export type Verdict = 'passed' | 'failed' | 'warned' | 'not-declared' | 'error';

/** One thing that is wrong. */
export interface Failure {
  /** The requirement that is not kept. */
  readonly spec: string;
  /** What a failure of this requirement means. */
  readonly level: Level;
  /** The rule, if one that holds in every session was broken; else a step of the case failed. */
  readonly rule?: string;
  /** The place of the step, from 1. */
  readonly step?: number;
  /** What is wrong, as a sentence. */
  readonly message: string;
  readonly expected?: unknown;
  readonly got?: unknown;
}

/** The result of one case. */
export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly spec: readonly string[];
  readonly level: Level;
  readonly verdict: Verdict;
  readonly ms: number;
  readonly failures: readonly Failure[];
  /** What the program has not declared, or why the suite failed. */
  readonly reason?: string;
  /** The reason of the list of expected failures, if the case is on it. */
  readonly expectedBecause?: string;
  /** Rules of the list of expected failures that were broken. The verdict and the failures are those without them. */
  readonly expectedRules?: readonly string[];
  /** The path of the recording of the case. */
  readonly trace?: string;
}

/** How many cases have which verdict. Failures that were expected are counted only as such. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly notDeclared: number;
  readonly errors: number;
  readonly expectedFailures: number;
}

/** A rule that was broken as the list of expected failures says. */
export interface BrokenAsExpected {
  readonly rule: string;
  /** In how many cases. */
  readonly cases: number;
  readonly reason: string;
}

/** The results of a run. */
export interface Report {
  /** The program that was tested, as a command line or an address. */
  readonly program: string;
  readonly side: Side;
  /** The version of the specification. */
  readonly spec: string;
  readonly ms: number;
  readonly results: readonly CaseResult[];
  /** Rules of the list of expected failures that were broken, the most broken first. */
  readonly expectedRules: readonly BrokenAsExpected[];
  /** Entries of the list of expected failures that have not failed in this run, with what to do about each. */
  readonly stale: readonly string[];
  readonly counts: Counts;
  /** Cases of level `must` that passed, of those that applied. */
  readonly must: { readonly passed: number; readonly applied: number };
  /** The share of `must` cases that passed, from 0 to 100, rounded down: 100 only if all have passed. */
  readonly score: number;
}

/** The verdict of a case from what is wrong: a broken `must` fails, anything weaker warns. */
export function verdictOf(failures: readonly Failure[]): Verdict {
  if (failures.length === 0) return 'passed';
  return failures.some(({ level }) => level === 'must') ? 'failed' : 'warned';
}

/** Whether a result needs attention: a failure that was not expected, a warning or an error of the suite. */
export function needsAttention({ verdict, expectedBecause }: CaseResult): boolean {
  return expectedBecause === undefined && verdict !== 'passed' && verdict !== 'not-declared';
}

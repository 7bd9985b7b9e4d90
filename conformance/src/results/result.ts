import type { Level, Side } from '../cases/case-schema.ts';
import type { Profile } from '../cases/profiles.ts';

/**
 * The outcome of a case.
 *
 * - `passed`: the program meets the requirement.
 * - `failed`: the program does not conform.
 * - `warned`: the program does not do what it should.
 * - `not-declared`: the program has not declared what the case needs. This is never a failure.
 * - `error`: the suite itself failed. This is never a success.
 */
export type Verdict = 'passed' | 'failed' | 'warned' | 'not-declared' | 'error';

/** One fault that a case has found. */
export interface Failure {
  /** The requirement that the program breaks. */
  readonly spec: string;
  /** What a failure of this requirement means. */
  readonly level: Level;
  /** The broken rule, if it is a rule that applies to every session. If absent, a step of the case failed. */
  readonly rule?: string;
  /** The number of the step, from 1. */
  readonly step?: number;
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** The pattern or value that a step expected, if there was one. */
  readonly expected?: unknown;
  /** The message or value that arrived instead. Absent if nothing arrived. */
  readonly got?: unknown;
}

/** The result of one case. */
export interface CaseResult {
  /** The id of the case, such as `agent/permissions/deny-keeps-turn`. */
  readonly id: string;
  /** The title of the case: what should hold, as a sentence. */
  readonly title: string;
  /** The ids of the requirements that the case checks. The main requirement is the first. */
  readonly spec: readonly string[];
  /** What a failure of the case means. */
  readonly level: Level;
  /** The verdict, which is derived from `failures` unless the case was not run or the suite failed. */
  readonly verdict: Verdict;
  /** The duration of the case in milliseconds. */
  readonly ms: number;
  /** What is wrong. Empty if the case passed, was not run, or the suite failed. */
  readonly failures: readonly Failure[];
  /** What the program did not declare, or why the suite failed. */
  readonly reason?: string;
  /** The reason in the list of expected failures, if the case is on it. */
  readonly expectedBecause?: string;
  /** Rules of the list of expected failures that were broken. `verdict` and `failures` do not count these rules. */
  readonly expectedRules?: readonly string[];
  /** The path of the recording of the case. */
  readonly trace?: string;
  /** For a generated session that has failed: the path of a case file with the shortest session that fails in the same way. */
  readonly shrunk?: string;
  /** For a generated session that was compared with another program: what the programs did differently. No difference is a failure. */
  readonly differences?: readonly {
    /** What the programs did, such as `answer to set_model`. */
    readonly fact: string;
    /** What the program under test did, in all its runs. JSON objects contain only the members that differ. */
    readonly tested: string;
    /** What the other program did, in all its runs. */
    readonly other: string;
  }[];
}

export type Difference = NonNullable<CaseResult['differences']>[number];
export type Question = NonNullable<Report['comparison']>['questions'][number];

/** How many cases have each verdict. Expected failures are counted only as expected failures. */
export interface Counts {
  /** Cases with the verdict `passed`. */
  readonly passed: number;
  /** Cases with the verdict `failed` that are not on the list of expected failures. */
  readonly failed: number;
  /** Cases with the verdict `warned` that are not on the list of expected failures. */
  readonly warned: number;
  /** Cases with the verdict `not-declared`. */
  readonly notDeclared: number;
  /** Cases with the verdict `error`. */
  readonly errors: number;
  /** Cases with the verdict `failed` or `warned` that are on the list of expected failures. */
  readonly expectedFailures: number;
}

/** A rule that was broken as expected, according to the list of expected failures. */
export interface BrokenAsExpected {
  /** The name of the rule, such as `result/one-a-turn`. */
  readonly rule: string;
  /** The number of cases that broke the rule. */
  readonly cases: number;
  /** The reason in the list of expected failures. */
  readonly reason: string;
}

/** A failure that several cases have in common, such as a broken rule that applies to every session. */
export interface Finding {
  /** The requirement that the program breaks. */
  readonly spec: string;
  /** What a failure of this requirement means. */
  readonly level: Level;
  /** The broken rule. If absent, the cases could not be run, and `message` says why. */
  readonly rule?: string;
  /** What is wrong in the first of the cases, as a sentence. */
  readonly message: string;
  /** The ids of the cases. */
  readonly cases: readonly string[];
  /** The number of these cases in which nothing else is wrong. */
  readonly alone: number;
}

/** The results of a run. */
export interface Report {
  /** The program that was tested, as a command line or an address. */
  readonly program: string;
  /** The side of the protocol that the program was tested on. */
  readonly side: Side;
  /** The version of the specification. */
  readonly spec: string;
  /** The duration of the run in milliseconds, rounded. */
  readonly ms: number;
  /** One result for each case, in the order of the cases. */
  readonly results: readonly CaseResult[];
  /** Rules of the list of expected failures that were broken, the most broken first. */
  readonly expectedRules: readonly BrokenAsExpected[];
  /** Entries of the list of expected failures that have not failed in this run, with what to do about each. */
  readonly stale: readonly string[];
  /** The number of cases for each verdict. */
  readonly counts: Counts;
  /** What was found out about the program before the first case, as sentences. */
  readonly notes: readonly string[];
  /** Failures that at least 3 cases have in common, the most frequent first. Failures that were expected are left out. */
  readonly findings: readonly Finding[];
  /** Which cases were run: all cases of the side, the cases of one profile, or any other part. */
  readonly scope: 'suite' | 'part' | Profile;
  /**
   * The numbers of cases of level `must`. `passed`: the cases that passed or have only warnings. `applied`: the cases with any verdict except
   * `not-declared`. `all`: all cases.
   */
  readonly must: { readonly passed: number; readonly applied: number; readonly all: number };
  /** The profiles whose cases were all run, each with its cases of level `must`. `score` is absent if fewer than half of these cases applied. */
  readonly profiles: readonly { readonly profile: Profile; readonly must: Report['must']; readonly score?: number }[];
  /**
   * The share of the applicable `must` cases that passed, from 0 to 100, rounded down. At most 99 if any case failed, even if the failure was expected
   * or the case has a weaker level. Absent if the cases that were run are neither the whole suite nor a profile, or if no `must` case applied.
   */
  readonly score?: number;
  /**
   * What the program under test does differently from another program in generated sessions, in the most sessions first. `program` is the command line
   * of the other program, and `sessions` is the number of sessions that were compared. Absent if the sessions were not compared.
   */
  readonly comparison?: {
    readonly program: string;
    readonly sessions: number;
    readonly questions: readonly {
      /** What the programs did. This member and the next two are those of the first difference of this kind. */
      readonly fact: string;
      readonly tested: string;
      readonly other: string;
      /** The number of differences. */
      readonly count: number;
      /** The number of sessions with such a difference. */
      readonly sessions: number;
      /** The id of the first of these sessions. `--include` runs it again. */
      readonly example: string;
    }[];
  };
}

/** `failed` if a requirement with the level `must` is broken, and `warned` for any weaker failure. */
export function verdictOf(failures: readonly Failure[]): Verdict {
  if (failures.length === 0) return 'passed';
  return failures.some(({ level }) => level === 'must') ? 'failed' : 'warned';
}

/** A failure that was not expected, a warning or an error of the suite. */
export function needsAttention({ verdict, expectedBecause }: CaseResult): boolean {
  return expectedBecause === undefined && verdict !== 'passed' && verdict !== 'not-declared';
}

import { parse } from 'yaml';
import * as z from 'zod';

import { type BrokenAsExpected, type CaseResult, type Failure, verdictOf } from './result.ts';

/** A case that is known to fail, and why. */
export interface ExpectedCase {
  /** The id of the case. */
  readonly case: string;
  /** Why the case fails, in at least 10 characters. Reports show this text. */
  readonly reason: string;
}

/** A rule that is known to be broken in any case, and why. Other failures of a case still count. */
export interface ExpectedRule {
  /** The name of the rule, such as `result/one-a-turn`. */
  readonly rule: string;
  /** Why the rule is broken, in at least 10 characters. Reports show this text. */
  readonly reason: string;
}

/** An entry of the list of expected failures. */
export type ExpectedFailure = ExpectedCase | ExpectedRule;

/** Thrown if a list of expected failures cannot be used. */
export class BaselineError extends Error {
  /** Always `BaselineError`, for programs that cannot use `instanceof`. */
  override readonly name = 'BaselineError';
}

const reason = z.string().min(10);
const schema = z.array(
  z.union([z.strictObject({ case: z.string().min(1), reason }), z.strictObject({ rule: z.string().min(1), reason })]),
);

/**
 * Reads a list of expected failures: YAML or JSON, `- case: ID` or `- rule: NAME`, each with a `reason`.
 *
 * @throws {@link BaselineError} if an entry names no case and no rule, or has no reason, or something is listed twice.
 */
export function parseBaseline(text: string): ExpectedFailure[] {
  let list: unknown;
  try {
    list = parse(text) ?? [];
  } catch (error) {
    throw new BaselineError(`The list of expected failures is not valid YAML: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const parsed = schema.safeParse(list);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BaselineError(
      `The list of expected failures: entry ${Number(issue?.path[0] ?? 0) + 1} needs "case" or "rule", and a "reason" of at least 10 characters (${issue?.message}).`,
    );
  }
  const names = parsed.data.map(nameOf);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new BaselineError(`The list of expected failures contains ${twice} twice.`);
  return parsed.data;
}

/** A case on the list of expected failures may fail, and a rule on the list does not count. */
export function markExpected(result: CaseResult, expected: readonly ExpectedFailure[]): CaseResult {
  if (result.verdict !== 'failed' && result.verdict !== 'warned') return result;
  const reasons = new Map(expected.map((entry) => [nameOf(entry), entry.reason]));
  const expectedBecause = reasons.get(result.id);
  if (expectedBecause !== undefined) return { ...result, expectedBecause };
  const isExpected = ({ rule }: Failure) => rule !== undefined && reasons.has(ruleName(rule));
  const failures = result.failures.filter((failure) => !isExpected(failure));
  if (failures.length === result.failures.length) return result;
  const expectedRules = [...new Set(result.failures.filter(isExpected).map(({ rule }) => String(rule)))];
  return { ...result, verdict: verdictOf(failures), failures, expectedRules };
}

/** The failures that are left if some rules do not count. */
export function withoutRules(failures: readonly Failure[], rules: ReadonlySet<string>): readonly Failure[] {
  return failures.filter(({ rule }) => rule === undefined || !rules.has(rule));
}

/** Applies the list of expected failures to all results, and finds the entries that are stale. */
export function applyBaseline(
  results: readonly CaseResult[],
  expected: readonly ExpectedFailure[],
  known: ReadonlySet<string>,
): { results: CaseResult[]; expectedRules: BrokenAsExpected[]; stale: string[] } {
  const marked = results.map((result) => markExpected(result, expected));
  const verdicts = new Map(marked.map(({ id, verdict }) => [id, verdict]));
  const rules = expected.flatMap((entry) => ('rule' in entry ? [entry] : []));
  const brokenRules = rules.map(({ rule, reason: why }) => {
    const cases = marked.filter(({ expectedRules = [] }) => expectedRules.includes(rule)).length;
    return { rule, cases, reason: why };
  });
  // After a run of some cases only, the rule may still be broken in the other cases.
  const isWhole = [...known].every((id) => verdicts.has(id));
  const stale = expected.flatMap((entry) => {
    if ('rule' in entry) {
      const isBroken = brokenRules.some(({ rule, cases }) => rule === entry.rule && cases > 0);
      return isWhole && !isBroken
        ? [`${nameOf(entry)}: no case breaks this rule. Correct the name or remove the entry.`]
        : [];
    }
    const { case: id } = entry;
    if (!known.has(id)) return [`${id}: this case does not exist. Remove the entry.`];
    const verdict = verdicts.get(id);
    if (verdict === 'passed') return [`${id}: the case passes now. Remove the entry.`];
    return verdict === 'not-declared'
      ? [
          `${id}: the case does not apply, because the program does not declare a feature that the case needs. Remove the entry.`,
        ]
      : [];
  });
  const expectedRules = brokenRules.filter(({ cases }) => cases > 0).toSorted((a, b) => b.cases - a.cases);
  return { results: marked, expectedRules, stale };
}

function nameOf(entry: ExpectedFailure): string {
  return 'rule' in entry ? ruleName(entry.rule) : entry.case;
}

function ruleName(rule: string): string {
  return `rule ${rule}`;
}

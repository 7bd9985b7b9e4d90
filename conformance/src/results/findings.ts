import { type CaseResult, type Failure, type Finding, needsAttention } from './result.ts';

// A failure that fewer cases have in common is reported separately for each case.
const MIN_CASES = 3;

/** Returns the failures that several cases have in common, the most frequent first. */
export function findingsOf(results: readonly CaseResult[]): Finding[] {
  const broken = new Map<string, { readonly first: Failure; readonly results: CaseResult[] }>();
  for (const result of results.filter(needsAttention)) {
    for (const [key, first] of new Map(result.failures.map((failure) => [commonKey(failure), failure]))) {
      if (key === undefined) continue;
      const found = broken.get(key) ?? { first, results: [] };
      found.results.push(result);
      broken.set(key, found);
    }
  }
  return [...broken]
    .filter(([, found]) => found.results.length >= MIN_CASES)
    .toSorted(([, a], [, b]) => b.results.length - a.results.length)
    .map(([key, { first, results: found }]) => ({
      spec: first.spec,
      level: first.level,
      ...(first.rule === undefined ? {} : { rule: first.rule }),
      message: first.message,
      cases: found.map(({ id }) => id),
      alone: found.filter(({ failures }) => failures.every((failure) => commonKey(failure) === key)).length,
    }));
}

/** Returns the failures of a result that are not part of a finding. */
export function ownFailures({ failures }: CaseResult, findings: readonly Finding[]): Failure[] {
  const common = new Set(findings.map(commonKey));
  return failures.filter((failure) => !common.has(commonKey(failure)));
}

/** Whether a result has a problem that is not part of a finding. */
export function isUnexplained(result: CaseResult, findings: readonly Finding[]): boolean {
  return result.failures.length === 0 || ownFailures(result, findings).length > 0;
}

/**
 * Returns the same text for failures with the same cause: the rule, or the message if the case could not be run. The failure of a step has no such
 * text.
 */
export function commonKey({ rule, step, message }: Pick<Failure, 'rule' | 'step' | 'message'>): string | undefined {
  if (rule !== undefined) return `rule ${rule}`;
  return step === undefined ? message : undefined;
}

import { parse } from 'yaml';
import * as z from 'zod';

import type { CaseResult } from './result.ts';

/** A case that is known to fail, and why. */
export interface ExpectedFailure {
  readonly case: string;
  readonly reason: string;
}

/** A list of expected failures that cannot be used. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
}

const schema = z.array(z.strictObject({ case: z.string().min(1), reason: z.string().min(10) }));

/**
 * Reads a list of expected failures: YAML or JSON, `- case: ID` with a `reason`.
 *
 * @throws {@link BaselineError} if an entry has no case or no reason, or a case is listed twice.
 */
export function parseBaseline(text: string): ExpectedFailure[] {
  let list: unknown;
  try {
    list = parse(text) ?? [];
  } catch (error) {
    throw new BaselineError(`The list of expected failures is no YAML: ${(error as Error).message}`, { cause: error });
  }
  const parsed = schema.safeParse(list);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BaselineError(
      `The list of expected failures: entry ${Number(issue?.path[0] ?? 0) + 1} needs "case" and a "reason" of at least 10 characters (${issue?.message}).`,
    );
  }
  const twice = parsed.data.find((entry, at) =>
    parsed.data.some((other, place) => place < at && other.case === entry.case),
  );
  if (twice !== undefined) throw new BaselineError(`The list of expected failures has ${twice.case} twice.`);
  return parsed.data;
}

/** The results with the reasons of those that were expected to fail, and the entries that are stale. */
export function applyBaseline(
  results: readonly CaseResult[],
  expected: readonly ExpectedFailure[],
  known: ReadonlySet<string>,
): { results: CaseResult[]; stale: string[] } {
  const reasons = new Map(expected.map((entry) => [entry.case, entry.reason]));
  const byId = new Map(results.map((result) => [result.id, result]));
  const stale = expected.flatMap(({ case: id }) => {
    if (!known.has(id)) return [`${id}: no such case. Remove the entry.`];
    const verdict = byId.get(id)?.verdict;
    if (verdict === 'passed') return [`${id}: passes now. Remove the entry.`];
    return verdict === 'not-declared'
      ? [`${id}: does not apply, since the program does not declare what it needs. Remove the entry.`]
      : [];
  });
  const marked = results.map((result) => {
    const reason = reasons.get(result.id);
    const isFailure = result.verdict === 'failed' || result.verdict === 'warned';
    return reason !== undefined && isFailure ? { ...result, expectedBecause: reason } : result;
  });
  return { results: marked, stale };
}

import * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import { expectedAt } from './describe-schema.ts';

/**
 * Lists the issues that a schema finds in a value, each with its full path below `path` and a description of what is expected at this path. Empty for
 * a valid value. The texts contain no part of the value, so that they may be logged.
 */
export function issuesIn(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[] = []): Issue[] {
  const found = flattenIssues(z.safeParse(schema, value).error?.issues ?? []);
  return found.map((issue) => {
    const expected = expectedAt(schema, value, issue.path);
    return { path: [...path, ...issue.path], message: expected === undefined ? issue.message : `expected ${expected}` };
  });
}

/**
 * Lists the issues of a failed check, each with its full path, including the issues inside unions. The texts contain no part of the value, so that
 * they may be logged.
 */
export function flattenIssues(issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue) => {
    const at = [...path, ...issue.path];
    const branch = issue.code === 'invalid_union' ? meantBranch(issue.errors) : undefined;
    return branch === undefined ? [{ path: at, message: describeWithoutSchema(issue) }] : flattenIssues(branch, at);
  });
}

/**
 * Returns the first branch that matches the outer shape of the value, because only the issues of this branch are helpful. A branch for another kind
 * of value fails at once, or at the discriminator.
 */
function meantBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return branches.find((branch) =>
    branch.every(({ path, ...issue }) => path.length > 1 || (path.length > 0 && !isOfAnotherKind(issue))),
  );
}

function isOfAnotherKind(issue: Omit<z.core.$ZodIssue, 'path'>): boolean {
  return issue.code === 'invalid_union' && 'errors' in issue && (issue.errors as readonly unknown[]).length === 0;
}

// The names of schemas that have a different name in JSON.
const KINDS: Readonly<Record<string, string>> = { record: 'object', nonoptional: 'a value' };

function describeWithoutSchema(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return issue.code === 'invalid_union' ? 'expected a different value' : issue.message;
}

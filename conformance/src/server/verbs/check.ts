import { describeMismatch, match, type Step, StepFailure } from '@proto/testkit/steps';

import type { ServerScope } from '../server-scope.ts';

/** Runs `check: PATH` with `is: PATTERN`: compares a value that an earlier step has bound. */
export async function check(step: Step, scope: ServerScope): Promise<void> {
  const path = String(step['check']);
  const value = scope.variables.get(path);
  const result = match(step['is'], value, scope.variables);
  if (result.ok) return;
  throw new StepFailure(`${path} does not have the expected value: ${describeMismatch(result.mismatch)}`, {
    expected: step['is'],
    got: value,
  });
}

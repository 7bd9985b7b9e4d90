import { describeMismatch } from '../../match/mismatch.ts';
import { match } from '../../match/match.ts';
import type { Step } from '../../steps/step.ts';
import { StepFailure } from '../../steps/step-failure.ts';
import type { ServerScope } from '../server-scope.ts';

/** `check: PATH` with `is: PATTERN`: compares a value that an earlier step has bound. */
export async function check(step: Step, scope: ServerScope): Promise<void> {
  const path = String(step['check']);
  const value = scope.variables.get(path);
  const result = match(step['is'], value, scope.variables);
  if (result.ok) return;
  throw new StepFailure(`${path} is another value: ${describeMismatch(result.mismatch)}`, {
    expected: step['is'],
    got: value,
  });
}

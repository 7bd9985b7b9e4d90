import { type Step, StepError } from '@proto/testkit/steps';

import type { Failure } from '../results/result.ts';
import type { Case } from './case-schema.ts';

/**
 * Returns the requirement that a failed step names: the step's own requirement, the requirement of the enclosing step, or the case's main
 * requirement.
 */
export function citedBy(error: unknown, { spec, level }: Case): Pick<Failure, 'spec' | 'level'> {
  return { spec: ownRequirement(error) ?? spec[0] ?? '', level };
}

function ownRequirement(error: unknown): string | undefined {
  return error instanceof StepError ? (ownRequirement(error.cause) ?? requirementOf(error.entry)) : undefined;
}

export function requirementOf({ spec }: Step): string | undefined {
  return typeof spec === 'string' ? spec : undefined;
}

/** Includes nested steps. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [
    step,
    ...allSteps([step['steps'], step['at-once'], step['meanwhile']].filter(isList).flat()),
  ]);
}

function isList(value: unknown): value is Step[] {
  return Array.isArray(value);
}

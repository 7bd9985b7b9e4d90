import fc from 'fast-check';
import type { Scenario } from './scenario.ts';

/** Tries so many random schedules of a scenario; rejects with the smallest that it finds to fail. */
export function holdsForAny<Step extends string>(scenario: Scenario<Step>, numRuns: number): Promise<void> {
  const schedules = fc.array(fc.constantFrom(...scenario.steps), { maxLength: scenario.maxSteps });
  return fc.assert(
    fc.asyncProperty(schedules, (schedule) => scenario.run(schedule)),
    { numRuns },
  );
}

import fc from 'fast-check';

/** What may happen in any order, and what has to hold whatever the order is. */
export interface Scenario<Step extends string = string> {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The longest schedule that is worth trying. */
  readonly maxSteps: number;
  /** Steps that are dangerous in this order, whatever comes between: half of the random schedules have one of these among other steps. */
  readonly passages?: readonly (readonly Step[])[];
  /** Runs a schedule from a fresh beginning to an end, where nothing is open any more; rejects when something does not hold. */
  run(schedule: readonly Step[]): Promise<void>;
}

/** Lets everything run that can. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What became of a promise: nothing as long as it is open. */
export function outcomeOf(promise: Promise<unknown>): { readonly now: string | undefined } {
  const outcome: { now: string | undefined } = { now: undefined };
  promise.then(
    (value) => (outcome.now = `gave ${JSON.stringify(value)}`),
    (reason: unknown) => (outcome.now = `rejected: ${reason instanceof Error ? reason.message : String(reason)}`),
  );
  return outcome;
}

/** Tries so many random schedules of a scenario; rejects with the smallest that it finds to fail. */
export function holdsForAny<Step extends string>(scenario: Scenario<Step>, numRuns: number): Promise<void> {
  const schedules = fc.array(fc.constantFrom(...scenario.steps), { maxLength: scenario.maxSteps });
  return fc.assert(
    fc.asyncProperty(schedules, (schedule) => scenario.run(schedule)),
    { numRuns },
  );
}

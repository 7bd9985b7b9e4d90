import fc from 'fast-check';

/** Steps that may happen in any order, and what must hold in every order. */
export interface Scenario<Step extends string = string> {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The most steps in a schedule. */
  readonly maxSteps: number;
  /** Steps that are dangerous in this order, also with others in between. Half of the random schedules contain such a passage. */
  readonly passages?: readonly (readonly Step[])[];
  /** Runs a schedule from a new start to its end, after which nothing is open. Rejects if something does not hold. */
  run(schedule: readonly Step[]): Promise<void>;
}

/** Waits until everything that can run has run. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Watches a promise. `now` is undefined while the promise is pending. */
export function outcomeOf(promise: Promise<unknown>): { readonly now: string | undefined } {
  const outcome: { now: string | undefined } = { now: undefined };
  promise.then(
    (value) => (outcome.now = `gave ${JSON.stringify(value)}`),
    (reason: unknown) => (outcome.now = `rejected: ${reason instanceof Error ? reason.message : String(reason)}`),
  );
  return outcome;
}

/** Tries that many random schedules of a scenario. Rejects with the shortest failing schedule that it finds. */
export function holdsForAny<Step extends string>(scenario: Scenario<Step>, numRuns: number): Promise<void> {
  const schedules = fc.array(fc.constantFrom(...scenario.steps), { maxLength: scenario.maxSteps });
  return fc.assert(
    fc.asyncProperty(schedules, (schedule) => scenario.run(schedule)),
    { numRuns },
  );
}

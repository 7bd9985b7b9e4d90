import { commonVerbs } from './common-verbs.ts';
import type { Scope } from './scope.ts';
import type { Step, Verb } from './step.ts';

/** Thrown if a step failed or could not be run. */
export class StepError extends Error {
  /** Always `StepError`. */
  override readonly name = 'StepError';
  /** The number of the step in the case, counted from 1. */
  readonly step: number;
  /** The step itself. Empty if the failure occurred before the first step. */
  readonly entry: Step;

  constructor(step: number, verb: string, cause: unknown, entry: Step = {}) {
    super(`Step ${step} (${verb}): ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.step = step;
    this.entry = entry;
  }
}

/**
 * Runs the steps of a case, one after the other.
 *
 * @throws {@link StepError} at the first step that fails. The cause of this error is a `StepFailure` if the program under test is at fault.
 */
export async function runSteps<S extends Scope>(
  steps: readonly Step[],
  scope: S,
  verbsOfSide: Readonly<Record<string, (step: Step, scope: S) => Promise<void>>> = {},
): Promise<void> {
  const verbs: Readonly<Record<string, (step: Step, scope: S) => Promise<void>>> = {
    ...(commonVerbs as Record<string, Verb>),
    ...verbsOfSide,
  };
  for (const [at, step] of steps.entries()) {
    const verb = Object.keys(step).find((name) => Object.hasOwn(verbs, name));
    try {
      scope.signal.throwIfAborted();
      if (verb === undefined)
        throw new Error(`The step contains no verb. Its members are: ${Object.keys(step).join(', ')}.`);
      await verbs[verb]?.(step, scope);
    } catch (error) {
      throw new StepError(at + 1, verb ?? 'unknown', error, step);
    }
  }
}

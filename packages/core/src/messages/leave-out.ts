import type { Issue } from '../errors.ts';
import type { Check } from './check-parts.ts';
import { Question, TOO_LARGE, TooMuchToLookAt } from './explain.ts';
import { type Path, withoutMember } from './places.ts';

/** What is wrong with a value that a check refuses, and the value without that where it can do without. */
export interface Refusal {
  /** What is wrong: all of it where `rest` is there, else all up to the first thing that nothing can be done about. */
  readonly issues: readonly Issue[];
  /** A copy without its invalid optional members. */
  readonly rest?: object;
}

/**
 * Leaves out members until a check passes, for each thing that is wrong the innermost member that may be absent. Never takes an element
 * out of a list: the others would move. Looks at `MAX_LOOKED_AT` members at most, in all.
 */
export function leaveOutInvalid(passes: Check, value: object): Refusal {
  const question = new Question(passes);
  const issues: Issue[] = [];
  let rest: object = value;
  try {
    do {
      const stop = question.whereItStops(rest);
      issues.push(question.explain(rest, stop));
      const without = withoutOne(question, rest, stop);
      if (without === undefined) return { issues };
      rest = without;
    } while (!question.passes(rest));
  } catch (error) {
    if (!(error instanceof TooMuchToLookAt)) throw error;
    return { issues: [...issues, TOO_LARGE] };
  }
  return { issues, rest };
}

/** Without the innermost member around a place that may be absent. */
function withoutOne(question: Question, value: object, stop: Path): object | undefined {
  for (let length = stop.length; length > 0; length--) {
    const member = stop.slice(0, length);
    const copy = withoutMember(value, member, question.copied);
    if (copy !== undefined && question.spares(copy, member)) return copy;
  }
  return undefined;
}

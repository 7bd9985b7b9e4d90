import type { Issue } from '../errors.ts';
import type { Check } from './check-parts.ts';
import { Question, TOO_LARGE, TooMuchToLookAt } from './explain.ts';
import { type Path, withoutMember } from './places.ts';

export interface Refusal {
  /** All issues if `rest` is present. Otherwise all issues up to the first issue in a member that cannot be left out. */
  readonly issues: readonly Issue[];
  /** A copy of the value without its invalid optional members. Absent if the value cannot be repaired. */
  readonly rest?: object;
}

/**
 * Leaves out members until a check passes. For each issue, leaves out the innermost member that may be absent. Never removes an element of a list,
 * because the following elements would get other indexes. Reads at most `MAX_LOOKED_AT` members in total.
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

/** Returns `undefined` if no member on this path may be absent. */
function withoutOne(question: Question, value: object, stop: Path): object | undefined {
  for (let length = stop.length; length > 0; length--) {
    const member = stop.slice(0, length);
    const copy = withoutMember(value, member, question.copied);
    if (copy !== undefined && question.spares(copy, member)) return copy;
  }
  return undefined;
}

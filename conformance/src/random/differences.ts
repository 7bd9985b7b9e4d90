import type { Difference } from '../results/result.ts';
import { differingParts } from './differing-parts.ts';
import { type Facts, hasPlace, withoutPlace } from './facts.ts';

/** What a program did in two runs of the same session. */
export type TwoRuns = readonly [Facts, Facts];

/**
 * Compares only facts that are the same in both runs of each program, because other facts depend on timing. A fact about one thing is compared only if
 * the thing existed in all four runs. A fact about the whole session that a run does not have counts as `none`.
 */
export function differencesBetween(tested: TwoRuns, other: TwoRuns): Difference[] {
  const names = new Set([...tested, ...other].flatMap((facts) => [...facts.keys()]));
  return [...names].flatMap((name) => {
    const here = steadyValue(name, tested);
    const there = steadyValue(name, other);
    if (here === undefined || there === undefined || here === there) return [];
    const [testedPart, otherPart] = differingParts(here, there);
    return [{ fact: withoutPlace(name), tested: testedPart, other: otherPart }];
  });
}

function steadyValue(name: string, [first, second]: TwoRuns): string | undefined {
  const absent = hasPlace(name) ? undefined : 'none';
  const value = first.get(name) ?? absent;
  return value === (second.get(name) ?? absent) ? value : undefined;
}

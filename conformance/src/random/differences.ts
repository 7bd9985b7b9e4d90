import type { Difference } from '../results/result.ts';
import { differingParts } from './differing-parts.ts';
import { type Facts, hasPlace, withoutPlace } from './facts.ts';

/**
 * Compares what two programs did, each in several runs of the same session. Only facts that are the same in all runs of a program are compared, because
 * other facts depend on timing. A fact about one thing is compared only if the thing existed in all runs. A fact about the whole session that a run does not have counts as `none`.
 */
export function differencesBetween(tested: readonly Facts[], other: readonly Facts[]): Difference[] {
  const names = new Set([...tested, ...other].flatMap((facts) => [...facts.keys()]));
  return [...names].flatMap((name) => {
    const here = steadyValue(name, tested);
    const there = steadyValue(name, other);
    if (here === undefined || there === undefined || here === there) return [];
    const [testedPart, otherPart] = differingParts(here, there);
    return [{ fact: withoutPlace(name), tested: testedPart, other: otherPart }];
  });
}

/** Returns `undefined` if the values differ. */
function steadyValue(name: string, runs: readonly Facts[]): string | undefined {
  const absent = hasPlace(name) ? undefined : 'none';
  const [value, ...others] = runs.map((facts) => facts.get(name) ?? absent);
  return others.every((other) => other === value) ? value : undefined;
}

import { againOf, type Outcome, simulate, type SimulationOptions } from './simulate.ts';

/** Simulates so many seeds, from 1. Returns the first failure, and says how to see it again. */
export async function firstFailure(
  seeds: number,
  options: SimulationOptions,
): Promise<(Outcome & { readonly again: string }) | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const outcome = await simulate(String(seed), options);
    if (outcome.problem !== undefined) return { ...outcome, again: againOf(outcome, options) };
  }
  return undefined;
}

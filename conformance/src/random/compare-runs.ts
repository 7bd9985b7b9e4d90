import type { Difference } from '../results/result.ts';
import { differencesBetween } from './differences.ts';
import type { Facts } from './facts.ts';

/** Plays a session once. Returns `undefined` if a step of the session failed. */
export type PlaySession = () => Promise<Facts | undefined>;

/**
 * Compares what two programs do in a session. Each program plays the session twice, and once more if there is a difference, so that few differences are
 * due to timing. `first` is what the program under test did in its first run. Returns `undefined` if a step failed in any run, because the rest of that
 * session was not played.
 */
export async function compareRuns(
  first: Facts,
  tested: PlaySession,
  other: PlaySession,
): Promise<readonly Difference[] | undefined> {
  const runs = { tested: [first], other: [] as Facts[] };
  const isPlayed =
    (await addRun(runs.other, other)) && (await addRun(runs.tested, tested)) && (await addRun(runs.other, other));
  if (!isPlayed) return undefined;
  const differences = differencesBetween(runs.tested, runs.other);
  if (differences.length === 0) return differences;
  const isConfirmed = (await addRun(runs.tested, tested)) && (await addRun(runs.other, other));
  return isConfirmed ? differencesBetween(runs.tested, runs.other) : undefined;
}

/** Returns whether the session was played to its end. */
async function addRun(runs: Facts[], play: PlaySession): Promise<boolean> {
  const facts = await play();
  if (facts !== undefined) runs.push(facts);
  return facts !== undefined;
}
